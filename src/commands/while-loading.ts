import process from 'node:process';

/** What ends a process unless somebody listens, and what others send: kill, Ctrl-C, a terminal that closes (SPEC 1.4). */
export const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/**
 * Loads what a command needs. Meanwhile a signal ends the process: nobody else listens yet, and a container's first process is
 * deaf to a signal that nobody listens for.
 */
export async function whileLoading<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const signal of endingSignals) process.on(signal, endEarly);
  try {
    const loaded = await load();
    // One that came while a module was evaluated is heard with the loop's next turn. Without its listener it would be lost, and the role would run on.
    await new Promise(setImmediate);
    return loaded;
  } finally {
    for (const signal of endingSignals) process.off(signal, endEarly);
  }
}

function endEarly(): never {
  return process.exit(0);
}
