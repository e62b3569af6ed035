import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Certificate } from "./sip-transport.ts";

export interface CertificateFiles extends Certificate, Disposable {
  certFile: string;
  keyFile: string;
}

/** A self-signed certificate in files, as in the switch's settings. */
export function makeCertificate(): CertificateFiles {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-certificate-"));
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=switch.invalid", "-addext", "subjectAltName=DNS:switch.invalid,IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...names, "-out", certFile, "-keyout", keyFile], {
    stdio: "ignore",
  });
  return {
    certFile,
    keyFile,
    cert: readFileSync(certFile, "utf8"),
    key: readFileSync(keyFile, "utf8"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
