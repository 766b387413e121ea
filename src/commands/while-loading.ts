import process from 'node:process';

/**
 * Loads what a command needs. Meanwhile a signal ends the process: nobody else listens yet, and a container's first process is
 * deaf to a signal that nobody listens for.
 */
export async function whileLoading<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  process.on('SIGTERM', endEarly).on('SIGINT', endEarly);
  try {
    return await load();
  } finally {
    process.off('SIGTERM', endEarly).off('SIGINT', endEarly);
  }
}

function endEarly(): never {
  return process.exit(0);
}
