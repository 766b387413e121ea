/**
 * By how much a counter grew, where a series comes with its first event: `increase()` sees nothing of a series that begins at 1. After a
 * restart it counts from 0, and what a process counted that is gone at the end of the window is not in it.
 */
export function grown(series: string, window: string): string {
  return `(clamp_min(${series} - ${series} offset ${window}, 0) or ${series})`;
}
