import process from 'node:process';

/** Sets the variable by which Node stops verifying certificates, until it is disposed of. */
export function unverified(): Disposable {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
  const before = process.env[name];
  process.env[name] = '0';
  return {
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    },
  };
}
