// SPDX-License-Identifier: Apache-2.0
//
// usage: java -cp BCPROV.jar BouncyCastle.java DIR: Bouncy Castle's part of the comparison; bouncy_castle.cpp says what lies in
// DIR.  Exit status 1 with a line for each thing that is not as it should be.

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
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1TaggedObject;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.pqc.jcajce.provider.BouncyCastlePQCProvider;
import org.bouncycastle.pqc.jcajce.spec.MayoParameterSpec;
import org.bouncycastle.pqc.jcajce.spec.UOVParameterSpec;

public class BouncyCastle {
  static final BouncyCastlePQCProvider provider = new BouncyCastlePQCProvider();
  static int failures = 0;

  static void expect(boolean condition, String set, String what) {
    if (condition) return;
    System.out.println("Bouncy Castle, " + set + ": " + what);
    failures++;
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
  // Bouncy Castle 1.86 reads keys of UOV only without any wrapper, those of MAYO only in an OCTET STRING.

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

  static void compare(Path dir, String set, String name) throws Exception {
    byte[] seed = Files.readAllBytes(dir.resolve(set + ".seed"));
    byte[] randomness = Files.readAllBytes(dir.resolve(set + ".R"));
    byte[] message = Files.readAllBytes(dir.resolve(set + ".msg"));
    byte[] ourSig = Files.readAllBytes(dir.resolve(set + ".sig"));

    // Our files, read by them.
    KeyFactory factory = KeyFactory.getInstance(family(name), provider);
    byte[] publicFile = publicInTheirForm(name, Files.readAllBytes(dir.resolve(set + ".pub")));
    byte[] secretFile = secretInTheirForm(name, Files.readAllBytes(dir.resolve(set + ".key")));
    PublicKey ourPublic = factory.generatePublic(new X509EncodedKeySpec(publicFile));
    PrivateKey ourSecret = factory.generatePrivate(new PKCS8EncodedKeySpec(secretFile));

    // The same seed gives the same pair.
    Tape tape = new Tape(seed);
    KeyPair same = generate(name, tape);
    expect(tape.usedUp(), set, "did not draw exactly one seed");
    expect(Arrays.equals(same.getPublic().getEncoded(), ourPublic.getEncoded()), set, "another public key from the same seed");
    expect(Arrays.equals(same.getPrivate().getEncoded(), ourSecret.getEncoded()), set, "another secret key from the same seed");
    Files.write(dir.resolve(set + ".same.pub"), same.getPublic().getEncoded());
    Files.write(dir.resolve(set + ".same.key"), same.getPrivate().getEncoded());

    // Our signature, and spoilt ones.
    expect(verify(name, ourPublic, message, ourSig), set, "refuses our signature");
    expect(!verify(name, ourPublic, flipped(message, 3), ourSig), set, "accepts our signature of another message");
    expect(!verify(name, ourPublic, message, flipped(ourSig, 3)), set, "accepts our signature with another solution");
    expect(!verify(name, ourPublic, message, flipped(ourSig, ourSig.length - 1)), set, "accepts our signature with another salt");

    // The same randomness gives the same signature, with our key.
    tape = new Tape(randomness);
    byte[] theirSig = sign(name, ourSecret, message, tape);
    expect(tape.usedUp(), set, "did not draw exactly the randomness of one signature");
    expect(Arrays.equals(theirSig, ourSig), set, "another signature from the same randomness");

    // What we are to read and verify without knowing it before.
    KeyPair fresh = generate(name, new SecureRandom());
    Files.write(dir.resolve(set + ".fresh.pub"), fresh.getPublic().getEncoded());
    Files.write(dir.resolve(set + ".fresh.key"), fresh.getPrivate().getEncoded());
    Files.write(dir.resolve(set + ".fresh.sig"), sign(name, fresh.getPrivate(), message, new SecureRandom()));
  }

  public static void main(String[] arguments) throws Exception {
    Path dir = Paths.get(arguments[0]);
    int sets = 0;
    for (String line : Files.readAllLines(dir.resolve("sets"))) {
      String[] names = line.split(" ");
      compare(dir, names[0], names[1]);
      sets++;
    }
    System.out.println("Bouncy Castle " + provider.getVersionStr() + ": " + sets + " sets, " + failures + " failures");
    System.exit(failures == 0 && sets > 0 ? 0 : 1);
  }
}
