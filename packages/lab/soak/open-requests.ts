import type { MemoryRequest } from '@dwd/simulator/memory/memory-api-server.ts';

const nothing = (): void => undefined;

/** A request that is open. Each of them counts once, however often it is called. */
export type OpenRequest = Readonly<{
  /** The head of its answer has come. */
  answered(): void;
  /** The process was told the end, or has left. */
  over(): void;
}>;

/** What a process has open, as it is seen from outside, from the moment in which it asks. */
export class OpenRequests {
  /** Of the seed, watches left out. */
  seed = 0;
  /** Watches that were asked for, and have not begun. */
  opening = 0;
  /** By what is watched: the same thing from another version is the same. */
  readonly watches: Map<string, number> = new Map();
  /** By the shoot's namespace, or the address where the shoot is gone. */
  readonly shoots: Map<string, number> = new Map();

  /** `to` is the shoot, undefined for the seed. */
  begin({ url }: MemoryRequest, to: string | undefined): OpenRequest {
    const isOfSeed = to === undefined;
    if (!isOfSeed) return { answered: nothing, over: once(counted(this.shoots, to)) };
    if (!isWatch(url)) {
      this.seed += 1;
      return { answered: nothing, over: once(() => void (this.seed -= 1)) };
    }
    this.opening += 1;
    const answered = once(() => void (this.opening -= 1));
    const left = counted(this.watches, watched(url));
    const over = once(() => {
      answered();
      left();
    });
    return { answered, over };
  }
}

export function isWatch(url: string): boolean {
  return /[?&]watch=(1|true)/.test(url);
}

function watched(url: string): string {
  const { pathname, searchParams } = new URL(url, 'https://seed');
  const selector = searchParams.get('fieldSelector');
  return selector === null ? pathname : `${pathname} ${selector}`;
}

function counted(counts: Map<string, number>, key: string): () => void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return () => {
    const left = (counts.get(key) ?? 0) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
}

function once(act: () => void): () => void {
  let next = act;
  return () => {
    const now = next;
    next = nothing;
    now();
  };
}
