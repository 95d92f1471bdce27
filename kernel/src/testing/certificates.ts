/** Certificates of a test, made by openssl in a folder of its own: an authority, one for a server at 127.0.0.1, and some for clients. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

interface Authority extends CertificatePair {
  /** One that this authority has signed, for so many days from now on; with -1 it has ended. */
  issue(name: string, days?: number): CertificatePair;
}

export const makeAuthority = (folder: string, authority = "authority"): Authority => {
  const request = (name: string): CertificatePair & { readonly asks: readonly string[] } => {
    const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", keyFile);
    return { certFile, keyFile, asks: ["req", "-new", "-key", keyFile, "-subj", `/CN=${name}`] };
  };
  const { asks, ...own } = request(authority);
  openssl(...asks, "-x509", "-days", "2", "-out", own.certFile);
  const extensions = join(folder, "extensions.cnf");
  writeFileSync(extensions, "subjectAltName = IP:127.0.0.1,DNS:localhost\n");
  const issue = (name: string, days = 1): CertificatePair => {
    const { asks: wants, ...pair } = request(name);
    const asked = join(folder, `${name}.csr`);
    openssl(...wants, "-out", asked);
    const signer = ["-CA", own.certFile, "-CAkey", own.keyFile, "-CAcreateserial"];
    const terms = ["-days", String(days), "-extfile", extensions];
    openssl("x509", "-req", "-in", asked, ...signer, ...terms, "-out", pair.certFile);
    return pair;
  };
  return { ...own, issue };
};

const openssl = (...parts: readonly string[]): void => {
  execFileSync("openssl", parts, { stdio: ["ignore", "ignore", "pipe"] });
};
