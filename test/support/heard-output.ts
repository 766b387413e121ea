import type { Output } from '../../src/adapters/output/output.ts';

/** An output that takes everything, and tells each line with its break. */
export function heardOutput(hear: (line: string) => void): Output {
  return {
    write(bytes, taken) {
      for (const line of bytes.toString().match(/.*\n/g) ?? []) hear(line);
      queueMicrotask(() => taken(null, bytes.length));
    },
  };
}
