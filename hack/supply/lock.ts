/** What package-lock.json says of one package, as far as we ask. npm writes one platform as a word, several as a list. */
export type Locked = Readonly<{
  version?: string;
  integrity?: string;
  os?: string | readonly string[];
  cpu?: string | readonly string[];
  libc?: string | readonly string[];
  dev?: boolean;
  /** A folder of the checkout. */
  link?: boolean;
  optional?: boolean;
  bin?: Readonly<Record<string, string>>;
  engines?: unknown;
  hasInstallScript?: boolean;
  license?: string;
  optionalDependencies?: Readonly<Record<string, string>>;
}>;

export type Lock = Readonly<{ packages: Readonly<Record<string, Locked>> }>;

export function readLock(text: string): Lock {
  return JSON.parse(text) as Lock;
}
