import { isTree, samePlain } from '../../domain/same-plain.ts';

export type Unlike = Readonly<{ path: string; recorded: unknown; replayed: unknown }>;

/** Where two plain values first part: `context.flow.steps[1].at`. Both are taken to differ. */
export function firstUnlike(recorded: unknown, replayed: unknown, path = ''): Unlike {
  if (isTree(recorded) && isTree(replayed) && Array.isArray(recorded) === Array.isArray(replayed)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const [one, other] = [recorded[key], replayed[key]];
      if (samePlain(one, other)) continue;
      return firstUnlike(
        one,
        other,
        Array.isArray(recorded) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
      );
    }
  }
  return { path, recorded, replayed };
}
