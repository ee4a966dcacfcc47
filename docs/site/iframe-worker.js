// SPDX-License-Identifier: Apache-2.0
// Browsers start no workers from file:, and the search is one.  There, a frame takes the worker's place: it loads the same
// script, and messages go between the two windows.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html><title>worker</title>";
      this.ready = new Promise((resolve) => {
        frame.onload = () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          inside.importScripts = (...urls) => Promise.all(urls.map((each) => this.load(inside.document, each)));
          this.load(inside.document, String(url)).then(() => resolve(inside));
        };
      });
      document.body.append(frame);
    }
    load(inside, url) {
      return new Promise((resolve, reject) => {
        const script = inside.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        inside.head.append(script);
      });
    }
    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
    terminate() {}
  };
}
