import process from 'node:process';

/** The variable by which Node stops looking at certificates, set for as long as it is held. */
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
