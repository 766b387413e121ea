/** What TLS is made with; PEM. Without `ca` the system's own authorities are trusted. */
export type TlsMaterial = Readonly<{
  ca?: string;
  cert?: string;
  key?: string;
  /** Overrides the name that the certificate has to be for. */
  servername?: string;
  /** False only where the operator's own kubeconfig says insecure-skip-tls-verify. */
  rejectUnauthorized?: boolean;
}>;

/** How to speak to an API server, and as whom. */
export type Credentials = Readonly<{
  /** `https://host:port`, with a path where the server stands behind a proxy; no slash at the end. */
  server: string;
  /** Authorization, and impersonation where a kubeconfig asks for it. Secret. */
  headers: Readonly<Record<string, string>>;
  tls: TlsMaterial;
}>;

/** Where credentials come from; they change while the program runs (SPEC 1.2). */
export interface CredentialSource {
  /** For the operator: `the kubeconfig /x/y`; no secret. */
  readonly origin: string;
  /** What holds now. `fresh` distrusts whatever was kept. Rejects with an Error whose message names the file. */
  read(fresh: boolean): Promise<Credentials>;
}
