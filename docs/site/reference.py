# SPDX-License-Identifier: Apache-2.0
"""A page of Markdown from one of our headers: its comments as text, its declarations as code, an anchor for each name.

The headers are laid out alike: a comment that introduces the file, sections under `/* ---- name ---- */`, and items, each a
comment and the declarations below it up to a blank line or the next comment.  What is not of that form stops the program.
"""

import html
import re

SECTION = re.compile(r"/\* -{4} (.+?) -+ \*/$")
# Lines that are for compilers.
DIRECTIVES = r"#(ifndef|ifdef|if|else|endif|include)\b|#define (\w+_H|\w*_API|\w*MUST_CHECK|AIOLI_FIXED_ENUM)\b"
NOISE = re.compile(DIRECTIVES + r"|extern \"C\"|}$")
NAME = re.compile(r"\b(aioli_\w+|AIOLI_[A-Z0-9_]+)\b")
WORDS = re.compile(r"\b(AIOLI_API|AIOLI_MUST_CHECK|AIOLI_ARROW_API|AIOLI_COMPOSITE_API|AIOLI_FIXED_ENUM) ?")


def declared(code):
    """Names that these declarations make: functions, types, macros and the values of enumerations."""
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    names = re.findall(r"#define (\w+)", bare)
    names += re.findall(r"^(?:\w+[ *]+)+(\w+)\(", re.sub(r"#define.*", "", bare), re.M)
    names += re.findall(r"\(\*(aioli_\w+)\)\(", bare)
    names += re.findall(r"(?:}|typedef (?:struct|enum) \w+) (aioli_\w+);", bare)
    names += re.findall(r"\b(AIOLI_[A-Z0-9_]+) = -?\d+", bare)
    return list(dict.fromkeys(name for name in names if not WORDS.fullmatch(name)))


def prose(comment, known):
    """Markdown of a comment; names that are declared somewhere become links: known[name] is the page."""
    paragraphs, lines = [], comment.split("\n")
    for line in lines:
        item = re.match(r"( {2,4})(- )?(\S.*)", line)
        if not line.strip():
            paragraphs.append("")
        elif item and item.group(2):
            paragraphs.append("- " + item.group(3))
        elif item and not (paragraphs and paragraphs[-1].startswith("- ")):
            paragraphs.append("- " + re.sub(r" {2,}", ": ", item.group(3), count=1))  # name   what it is
        elif item and re.match(r"\w+ {2,}", item.group(3)):
            paragraphs.append("- " + re.sub(r" {2,}", ": ", item.group(3), count=1))
        elif paragraphs and paragraphs[-1] and not (paragraphs[-1].startswith("- ") and not line.startswith(" ")):
            paragraphs[-1] += " " + line.strip()
        else:
            paragraphs.append(line.strip())
    out = []
    for i, text in enumerate(paragraphs):
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace("*", r"\*").replace("_", r"\_")
        text = re.sub(r"`[^`]*`", lambda m: html.unescape(m.group(0)).replace("\\", ""), text)  # code was right as it stood

        def name(match):
            plain = match.group(0).replace("\\", "")
            return f"[`{plain}`]({known[plain]}#{plain})" if plain in known else f"`{plain}`"

        pieces = re.split(r"(`[^`]*`)", text)
        pieces = [p if p.startswith("`") else re.sub(r"\b(?:aioli|AIOLI)(?:\\_[A-Za-z0-9]+)+\b", name, p) for p in pieces]
        text = "".join(pieces)
        if text.startswith("- ") and (i == 0 or not paragraphs[i - 1].startswith("- ")):
            out.append("")
        out.append(text)
        if text and not text.startswith("- "):
            out.append("")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()


def tidy(code):
    """Declarations without the words for compilers, wrapped anew."""
    out = []
    for statement in re.split(r"\n(?=\S)", WORDS.sub("", code)):
        joined = re.sub(r"\n\s+", " ", statement)
        if "\n" in statement and "{" not in statement and "/*" not in joined and "\\" not in statement:
            lines = [""]
            for word in re.split(r"(?<=,) ", joined):  # parameters stay whole
                lines += [] if len(lines[-1]) + len(word) < 100 else ["   "]
                lines[-1] += (" " if lines[-1] else "") + word
            statement = "\n".join(lines)
        out.append(statement)
    return "\n".join(out)


def values(code, known):
    """A table of an enumeration whose comments stand beside its values; None if this is not one."""
    body = re.fullmatch(r"typedef enum (\w+) ?\w* ?\{\n(.*)\n\} \w+;", WORDS.sub("", code), re.S)
    row = re.compile(r" +(\w+) = (-?\d+),?(?: +/\* (.*) \*/)?")
    rows = [row.fullmatch(line) for line in body.group(2).split("\n")] if body else [None]
    if not all(rows):
        return None
    cells = [(row.group(1), row.group(2), prose(row.group(3) or "", known).replace("|", r"\|")) for row in rows]
    lines = [f"`enum {body.group(1)}`", "", "| name | value | |", "|---|--:|---|"]
    return "\n".join(lines + [f"| `{name}` | {value} | {text} |" for name, value, text in cells])


def parse(text):
    """(introduction, [(section, [(comment, code)])])"""
    text = re.sub(r"^(\w+_API [\w ]+)\n(?=\w+\()", r"\1 ", text, flags=re.M)
    first = re.match(r"/\*(.*?)\*/\n", text, re.S)
    if not first:
        raise ValueError("the header does not begin with a comment")
    clean = lambda body: "\n".join(re.sub(r"^ ?\* ?", "", line) for line in body.strip("\n").split("\n")).strip()  # noqa: E731
    introduction = re.sub(r"SPDX-License-Identifier.*\n?", "", clean(first.group(1)))
    sections, comment, code = [("", [])], "", []

    def flush():
        nonlocal comment, code
        if comment or code:
            sections[-1][1].append((comment, "\n".join(code)))
        comment, code = "", []

    lines = text[first.end() :].split("\n")
    i, depth = 0, 0
    while i < len(lines):
        line = lines[i]
        depth_before = depth
        depth += line.count("{") - line.count("}")
        if section := SECTION.match(line):
            flush()
            sections.append((section.group(1), []))
        elif depth_before <= 0 and line.startswith("/*"):
            flush()
            body = [line]
            while "*/" not in lines[i]:
                i += 1
                body.append(lines[i])
            comment = clean("\n".join(body).replace("/*", " *", 1).rsplit("*/", 1)[0])
        elif depth_before <= 0 and (not line.strip() or NOISE.match(line)):
            if line.startswith("extern"):
                depth = 0
            depth = max(depth, 0)
            if code:
                flush()
            elif line.strip():
                comment = ""  # it says why those lines are there
        else:
            code.append(line)
        i += 1
    flush()
    return introduction, sections


def names_of(text):
    return [name for _, items in parse(text)[1] for _, code in items for name in declared(code)]


def page(path, text, known):
    """Markdown for the header at `path`."""
    introduction, sections = parse(text)
    title, _, rest = introduction.partition("\n")
    out = [f"# {path.split('/')[-1]}", "", f"`#include <{path.split('include/')[-1]}>`", ""]
    out += [prose(title + "\n" + rest, known), ""]
    for section, items in sections:
        if section and items:
            out += [f"## {section[0].upper()}{section[1:]}", ""]
        for comment, code in items:
            names = declared(code)
            out += ["".join(f'<a id="{name}"></a>' for name in names), ""] if names else []
            functions = [name for name in names if re.search(rf"\b{name}\b[ )]*\(", code)] or names[:1]
            if functions and (len(names) < 30):
                out += ["### " + ", ".join(f"`{name}`" for name in functions[:3]) + (" .." if len(functions) > 3 else ""), ""]
            out += [prose(comment, known), ""] if comment else []
            out += [values(code, known) or f"```c\n{tidy(code)}\n```", ""] if code else []
    return "\n".join(out)
