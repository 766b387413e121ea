type Written = string | number | boolean | null | readonly Written[] | { readonly [key: string]: Written };

/**
 * A file of alerts or of a dashboard, its short forms written out: `<name>` is what stands under that name in `let`, and
 * `grown(series[window])` is by how much a counter grew.
 */
export function writtenOut(file: unknown): unknown {
  const { let: named = {}, ...rest } = file as { let?: Readonly<Record<string, string>> } & Readonly<
    Record<string, Written>
  >;
  return within(rest);

  function within(value: Written): Written {
    if (typeof value === 'string')
      return grown(value.replaceAll(/<(\w+)>/g, (short, name: string) => named[name] ?? short));
    if (Array.isArray(value)) return value.map((one: Written) => within(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(one)]));
  }
}

/**
 * Where a series comes with its first event, `increase()` sees nothing of it, since it begins at 1. After a restart this counts from 0, and
 * what a process counted that is gone at the end of the window is not in it.
 */
function grown(expr: string): string {
  return expr.replaceAll(/grown\(([^[]+)\[([^\]]+)\]\)/g, '(clamp_min($1 - $1 offset $2, 0) or $1)');
}
