import { textAt, valueAt } from '../../domain/value-at.ts';

/** One page of a list: its items unread, the token of the next page (empty after the last), and what the list is as of. */
export type ListPage = Readonly<{ items: readonly unknown[]; next: string; resourceVersion: string }>;

/** Reads a parsed Kubernetes list; undefined where it is none. */
export function readListPage(body: unknown): ListPage | undefined {
  // Go writes an empty list as null where the server made it from nothing.
  const items = valueAt(body, 'items') ?? [];
  const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
  if (!Array.isArray(items) || resourceVersion === '') return undefined;
  return { items, next: textAt(body, 'metadata', 'continue'), resourceVersion };
}
