import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes `tls.pem` for HAProxy. Returns the path of the certificate, which is self-signed. */
export function createCertificate(path: string, name: string): string {
  const [key, certificate] = [join(path, "tls.key"), join(path, "tls.crt")];
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30".split(" ");
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", [...request, ...names, ...files], { stdio: "ignore" });
  const text = [certificate, key].map((file) => readFileSync(file, "utf8")).join("");
  writeFileSync(join(path, "tls.pem"), text, { mode: 0o600 });
  return certificate;
}
