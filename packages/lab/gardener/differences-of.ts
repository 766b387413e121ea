import { parse } from 'yaml';
import type { Rendering } from './rendering.ts';

export type Difference = Readonly<{
  /** `prober VerticalPodAutoscaler spec.updatePolicy.updateMode` */
  place: string;
  /** As JSON; `–` where there is nothing. */
  before: string;
  after: string;
}>;

/** Where two renderings differ: the smallest values that are not the same, by what is deployed. Versions are not told. */
export function differencesOf(before: Rendering, after: Rendering): readonly Difference[] {
  const parts = ['prober', 'weeder', 'accessInSeed', 'accessInShoot'] as const;
  return parts.flatMap((part) => {
    const [one, other] = [byKind(before[part]), byKind(after[part])];
    const kinds = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return kinds.flatMap((kind) => within(`${part} ${kind}`, one[kind], other[kind]));
  });
}

/** No part has two objects of one kind. */
function byKind(objects: Rendering['prober']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(objects.map((one) => [one.kind, one]));
}

function within(place: string, wasWritten: unknown, isWritten: unknown): readonly Difference[] {
  const [before, after] = [opened(wasWritten), opened(isWritten)];
  const [one, other] = [textOf(before), textOf(after)];
  if (one === other) return [];
  if (!isMapping(before) || !isMapping(after)) return [{ place, before: one, after: other }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const separator = place.includes('.') || /^\S+ \S+ \S/.test(place) ? '.' : ' ';
  return keys.flatMap((key) => within(`${place}${separator}${key}`, before[key], after[key]));
}

/** A file that stands as text in an object is compared by what it says. */
function opened(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\n') ? parse(value) : value;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return value === undefined ? '–' : JSON.stringify(value);
}
