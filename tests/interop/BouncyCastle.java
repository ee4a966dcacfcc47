// SPDX-License-Identifier: Apache-2.0
//
// usage: java -cp BCPROV.jar BouncyCastle.java DIR: Bouncy Castle's part of the comparison; exchange.cpp says what lies in DIR.
// Prints a line for each check: set, check, pass or fail, what failed; with tabs between.

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1TaggedObject;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.pqc.jcajce.provider.BouncyCastlePQCProvider;
import org.bouncycastle.pqc.jcajce.spec.MayoParameterSpec;
import org.bouncycastle.pqc.jcajce.spec.UOVParameterSpec;

public class BouncyCastle {
  static final BouncyCastlePQCProvider provider = new BouncyCastlePQCProvider();

  interface Attempt {
    /** What is wrong; empty: nothing. */
    String run() throws Exception;
  }

  static void check(String set, String what, Attempt attempt) {
    String wrong;
    try {
      wrong = attempt.run();
    } catch (Exception e) {
      wrong = e.toString().replaceAll("\\s+", " ");
    }
    System.out.println(set + "\t" + what + "\t" + (wrong.isEmpty() ? "pass" : "fail") + "\t" + wrong);
  }

  /** Hands out given bytes once; whoever asks for more, or leaves some, is not doing what the specification says. */
  static final class Tape extends SecureRandom {
    private final byte[] bytes;
    private int at = 0;

    Tape(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void nextBytes(byte[] out) {
      if (out.length > bytes.length - at) throw new IllegalStateException("more randomness was drawn than there should be");
      System.arraycopy(bytes, at, out, 0, out.length);
      at += out.length;
    }

    boolean usedUp() {
      return at == bytes.length;
    }
  }

  static AlgorithmParameterSpec parameters(String name) {
    return name.startsWith("mayo") ? MayoParameterSpec.fromName(name) : UOVParameterSpec.fromName(name);
  }

  static KeyPair generate(String name, SecureRandom random) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(family(name), provider);
    generator.initialize(parameters(name), random);
    return generator.generateKeyPair();
  }

  static String family(String name) {
    return name.startsWith("mayo") ? "Mayo" : "UOV";
  }

  static byte[] sign(String name, PrivateKey key, byte[] message, SecureRandom random) throws Exception {
    Signature signature = Signature.getInstance(family(name), provider);
    signature.initSign(key, random);
    signature.update(message);
    return signature.sign();
  }

  static boolean verify(String name, PublicKey key, byte[] message, byte[] sig) throws Exception {
    Signature signature = Signature.getInstance(family(name), provider);
    signature.initVerify(key);
    signature.update(message);
    return signature.verify(sig);
  }

  // aioli writes a public key as the BIT STRING itself, a seed as [0] and an expanded key as OCTET STRING inside privateKey.
  // Bouncy Castle 1.86 reads keys of UOV only without any wrapper, those of MAYO only in an OCTET STRING: these make the one of
  // the other, so that there are keys to go on with.

  static byte[] publicInTheirForm(String name, byte[] file) throws Exception {
    SubjectPublicKeyInfo info = SubjectPublicKeyInfo.getInstance(file);
    if (!name.startsWith("mayo")) return file;
    return new SubjectPublicKeyInfo(info.getAlgorithm(), new DEROctetString(info.getPublicKeyData().getOctets())).getEncoded();
  }

  static byte[] secretInTheirForm(String name, byte[] file) throws Exception {
    PrivateKeyInfo info = PrivateKeyInfo.getInstance(file);
    ASN1Primitive inside = ASN1Primitive.fromByteArray(info.getPrivateKey().getOctets());
    byte[] key = (inside instanceof ASN1TaggedObject
            ? ASN1OctetString.getInstance((ASN1TaggedObject) inside, false)
            : ASN1OctetString.getInstance(inside)).getOctets();
    byte[] content = name.startsWith("mayo") ? new DEROctetString(key).getEncoded() : key;
    ASN1Encodable[] parts = {new ASN1Integer(0), info.getPrivateKeyAlgorithm(), new DEROctetString(content)};
    return new DERSequence(parts).getEncoded();
  }

  static byte[] flipped(byte[] bytes, int at) {
    byte[] copy = bytes.clone();
    copy[at] ^= 1;
    return copy;
  }

  /** Bytes of the key alone, out of their own file. */
  static byte[] rawPublic(byte[] file) throws Exception {
    byte[] bits = SubjectPublicKeyInfo.getInstance(file).getPublicKeyData().getOctets();
    return bits[0] == 4 && isElement(bits) ? ASN1OctetString.getInstance(bits).getOctets() : bits;
  }

  static byte[] rawSecret(byte[] file) throws Exception {
    byte[] content = PrivateKeyInfo.getInstance(file).getPrivateKey().getOctets();
    return content[0] == 4 && isElement(content) ? ASN1OctetString.getInstance(content).getOctets() : content;
  }

  static boolean isElement(byte[] bytes) {
    try {
      return ASN1Primitive.fromByteArray(bytes) instanceof ASN1OctetString;
    } catch (java.io.IOException e) {
      return false;
    }
  }

  /** A certificate that signs itself, from the parts that bcprov has. */
  static byte[] certificate(String name, KeyPair pair) throws Exception {
    SubjectPublicKeyInfo info = SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded());
    V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
    generator.setSerialNumber(new ASN1Integer(1));
    generator.setSignature(info.getAlgorithm());
    generator.setIssuer(new X500Name("CN=Bouncy Castle"));
    generator.setSubject(new X500Name("CN=Bouncy Castle"));
    long now = System.currentTimeMillis();
    generator.setStartDate(new Time(new Date(now - 3600_000L)));
    generator.setEndDate(new Time(new Date(now + 86_400_000L)));
    generator.setSubjectPublicKeyInfo(info);
    TBSCertificate body = generator.generateTBSCertificate();
    byte[] sig = sign(name, pair.getPrivate(), body.getEncoded("DER"), new SecureRandom());
    ASN1Encodable[] parts = {body, info.getAlgorithm(), new DERBitString(sig)};
    return new DERSequence(parts).getEncoded("DER");
  }

  static void compare(Path dir, String set, String name) throws Exception {
    byte[] seed = Files.readAllBytes(dir.resolve(set + ".seed"));
    byte[] randomness = Files.readAllBytes(dir.resolve(set + ".R"));
    byte[] message = Files.readAllBytes(dir.resolve(set + ".msg"));
    byte[] ourSig = Files.readAllBytes(dir.resolve(set + ".sig"));
    byte[] ourPublicFile = Files.readAllBytes(dir.resolve(set + ".pub"));
    byte[] ourSecretFile = Files.readAllBytes(dir.resolve(set + ".key"));
    KeyFactory factory = KeyFactory.getInstance(family(name), provider);
    PublicKey ourPublic = factory.generatePublic(new X509EncodedKeySpec(publicInTheirForm(name, ourPublicFile)));
    PrivateKey ourSecret = factory.generatePrivate(new PKCS8EncodedKeySpec(secretInTheirForm(name, ourSecretFile)));

    check(set, "our public file", () ->
        factory.generatePublic(new X509EncodedKeySpec(ourPublicFile)).equals(ourPublic) ? "" : "another key");
    check(set, "our secret file", () ->
        factory.generatePrivate(new PKCS8EncodedKeySpec(ourSecretFile)).equals(ourSecret) ? "" : "another key");
    check(set, "same pair", () -> {
      Tape tape = new Tape(seed);
      KeyPair same = generate(name, tape);
      Files.write(dir.resolve(set + ".same.pub"), same.getPublic().getEncoded());
      Files.write(dir.resolve(set + ".same.key"), same.getPrivate().getEncoded());
      if (!tape.usedUp()) return "did not draw exactly one seed";
      if (!Arrays.equals(same.getPublic().getEncoded(), ourPublic.getEncoded())) return "another public key";
      return Arrays.equals(same.getPrivate().getEncoded(), ourSecret.getEncoded()) ? "" : "another secret key";
    });
    check(set, "same signature", () -> {
      Tape tape = new Tape(randomness);
      byte[] theirSig = sign(name, ourSecret, message, tape);
      return Arrays.equals(theirSig, ourSig) && tape.usedUp() ? "" : "another signature";
    });
    check(set, "they verify", () -> verify(name, ourPublic, message, ourSig) ? "" : "refused");
    check(set, "they refuse", () -> {
      byte[][] sigs = {flipped(ourSig, 3), flipped(ourSig, ourSig.length - 1), Arrays.copyOf(ourSig, ourSig.length - 1),
          Arrays.copyOf(ourSig, ourSig.length + 1)};
      String[] words = {"another solution", "another salt", "a shorter one", "a longer one"};
      String wrong = verify(name, ourPublic, flipped(message, 3), ourSig) ? "accepts another message; " : "";
      for (int i = 0; i < sigs.length; i++) {
        boolean accepted;
        try {
          accepted = verify(name, ourPublic, message, sigs[i]);
        } catch (Exception e) {
          accepted = false;
        }
        if (accepted) wrong += "accepts " + words[i] + "; ";
      }
      return wrong;
    });

    // What the other side is to read and verify without knowing it before.
    KeyPair fresh = generate(name, new SecureRandom());
    byte[] publicFile = fresh.getPublic().getEncoded(), secretFile = fresh.getPrivate().getEncoded();
    Files.write(dir.resolve(set + ".fresh.pub"), publicFile);
    Files.write(dir.resolve(set + ".fresh.key"), secretFile);
    Files.write(dir.resolve(set + ".fresh.pk"), rawPublic(publicFile));
    Files.write(dir.resolve(set + ".fresh.sk"), rawSecret(secretFile));
    Files.write(dir.resolve(set + ".fresh.sig"), sign(name, fresh.getPrivate(), message, new SecureRandom()));
    Files.write(dir.resolve(set + ".fresh.crt"), certificate(name, fresh));

    Path ours = dir.resolve(set + ".crt");
    if (!Files.exists(ours)) return;
    check(set, "our certificate", () -> {
      Certificate parsed = Certificate.getInstance(Files.readAllBytes(ours));
      byte[] file = parsed.getSubjectPublicKeyInfo().getEncoded();
      PublicKey key = factory.generatePublic(new X509EncodedKeySpec(publicInTheirForm(name, file)));
      byte[] body = parsed.getTBSCertificate().getEncoded("DER");
      byte[] sig = parsed.getSignature().getOctets();
      if (verify(name, key, flipped(body, body.length - 1), sig)) return "accepts a changed one";
      if (!verify(name, key, body, sig)) return "refused";
      factory.generatePublic(new X509EncodedKeySpec(file)); // throws where the key has a form that they do not read
      return "";
    });
  }

  public static void main(String[] arguments) throws Exception {
    Path dir = Paths.get(arguments[0]);
    for (String line : Files.readAllLines(dir.resolve("sets"))) {
      String[] names = line.split(" ");
      compare(dir, names[0], names[1]);
    }
  }
}
