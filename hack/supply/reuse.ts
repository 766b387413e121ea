/** One `[[annotations]]` of a REUSE.toml. */
export type Annotation = Readonly<{ paths: readonly string[]; copyright: string; license: string }>;

/** The annotations of a REUSE.toml that is written as ours is: one key a line, texts in double quotes, paths alone or in a list on one line. */
export function readReuse(text: string): readonly Annotation[] {
  return text
    .split(/^\[\[annotations\]\]$/m)
    .slice(1)
    .map((table) => ({
      paths: [...(valueOf(table, 'path') ?? '').matchAll(/"([^"]+)"/g)].map(([, path = '']) => path),
      copyright: textOf(table, 'SPDX-FileCopyrightText'),
      license: textOf(table, 'SPDX-License-Identifier'),
    }));
}

/** Files of which REUSE.toml does not say whose they are, or under which licence; or whose licence has no text in `LICENSES/`. */
export function uncovered(files: readonly string[], annotations: readonly Annotation[]): readonly string[] {
  return files
    .filter((file) => !/^(?:LICENSES\/.*|LICENSE|REUSE\.toml)$/.test(file))
    .flatMap((file) => {
      // The last one that fits counts.
      const found = annotations.findLast(({ paths }) => paths.some((path) => matcher(path).test(file)));
      if (found === undefined || found.copyright === '' || found.license === '') return [`${file} is not covered`];
      const licence = `LICENSES/${found.license}.txt`;
      return files.includes(licence) ? [] : [`${file} is under ${found.license}, and ${licence} is not there`];
    });
}

function valueOf(table: string, key: string): string | undefined {
  return new RegExp(`^${key}\\s*=\\s*(.*)$`, 'm').exec(table)?.[1];
}

function textOf(table: string, key: string): string {
  return /^"(.*)"$/.exec(valueOf(table, key) ?? '')?.[1] ?? '';
}

/** `**` stands for anything, `*` for anything but a slash. */
function matcher(path: string): RegExp {
  const parts = path.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join('')}$`);
}
