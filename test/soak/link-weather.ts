import type { Millis } from '../../src/domain/time.ts';

/** How bad the ways from a process to the servers are. Rates are of one request, or of one watch. */
export type LinkWeather = Readonly<{
  /** The least and the longest time of a request one way. */
  there: readonly [Millis, Millis];
  refused: number;
  lost: number;
  unanswered: number;
  doubled: number;
  /** 429, 500, 503, 504 from something on the way. */
  status: number;
  garbled: number;
  truncated: number;
  /** One in so many is slower by seconds. */
  slow: number;
  watchLag: readonly [Millis, Millis];
  watchSilent: number;
  watchCut: number;
  withoutBookmarks: number;
}>;

export const fairWeather: LinkWeather = {
  there: [1, 3],
  refused: 0,
  lost: 0,
  unanswered: 0,
  doubled: 0,
  status: 0,
  garbled: 0,
  truncated: 0,
  slow: 0,
  watchLag: [1, 3],
  watchSilent: 0,
  watchCut: 0,
  withoutBookmarks: 0,
};
