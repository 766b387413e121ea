/** A Markdown file of the checkout. `path` is relative to it, with forward slashes. */
export type Page = Readonly<{ path: string; text: string }>;

/**
 * What relative links and pictures of these pages lead nowhere: to no file or folder of the checkout, or to no heading of the page.
 * `exists` is asked for paths relative to the checkout. Other sites are not asked.
 */
export function brokenLinks(pages: readonly Page[], exists: (path: string) => boolean): readonly string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
  return pages.flatMap((page) =>
    linksOf(page.text).flatMap(({ target, line }) => {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? page.path : resolved(page.path, decodeURI(file));
      const where = `${page.path}:${line} leads to ${target}`;
      if (path === undefined) return [`${where}, outside of the checkout`];
      if (!exists(path)) return [`${where}, which is not there`];
      if (anchor === undefined || anchor === '' || !path.endsWith('.md')) return [];
      return anchors.get(path)?.has(anchor) === true ? [] : [`${where}, a heading that is not there`];
    }),
  );
}

type Link = Readonly<{ target: string; line: number }>;

/** Links, pictures and link definitions, without those to other sites; code is none. */
export function linksOf(text: string): readonly Link[] {
  return proseOf(text).flatMap((line, index) => {
    const inline = [...line.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
    const defined = [...line.matchAll(/^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)/g)];
    const tagged = [...line.matchAll(/<(?:img|a)\s[^>]*?(?:src|href)="([^"]+)"/g)];
    return [...inline, ...defined, ...tagged].flatMap(([, target = '']) =>
      /^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('//') ? [] : [{ target, line: index + 1 }],
    );
  });
}

/** The lines outside of fences, without code spans. */
function proseOf(text: string): readonly string[] {
  let fence: string | undefined;
  return text.split('\n').map((line) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      return '';
    }
    if (mark !== undefined) {
      fence = mark;
      return '';
    }
    return line.replaceAll(/(`+)[^`]+\1/g, '``');
  });
}

/** As GitHub names headings: lower case, no punctuation, dashes for spaces; the second of a name ends in `-1`. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  const lines = text.split('\n');
  for (const [index, prose] of proseOf(text).entries()) {
    for (const [, id = ''] of prose.matchAll(/<a\s[^>]*?(?:id|name)="([^"]+)"/g)) anchors.add(id);
    if (!/^ {0,3}#{1,6}\s/.test(prose)) continue;
    const title = (lines[index] ?? '').replace(/^ {0,3}#{1,6}\s+/, '').replace(/\s+#*\s*$/, '');
    const name = title
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    anchors.add(before === 0 ? name : `${name}-${before}`);
  }
  return anchors;
}

/** A link's path from the root of the checkout; undefined where it leaves it. */
function resolved(from: string, target: string): string | undefined {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
