const words: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is taken',
  EACCES: 'the address may not be used by this user',
  EADDRNOTAVAIL: 'the machine has no such address',
  ENOTFOUND: 'the host cannot be found',
};

/** An address that was given on the command line and cannot be listened on; the message is one line for the operator. */
export class AddressUnusable extends Error {
  override readonly name = 'AddressUnusable';

  constructor(
    flag: string,
    { host = '', port }: Readonly<{ host?: string; port: number }>,
    cause: NodeJS.ErrnoException,
  ) {
    const text = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    super(`${flag}=${text}: ${words[cause.code ?? ''] ?? cause.message}`, { cause });
  }
}
