/** What the badges of README.md go by. */
export type Package = Readonly<{ version: string; license: string }>;

/** The badges of README.md: pictures of our own, since one that a server draws is missing wherever the page is read without it. */
export function badges({ version, license }: Package, changelog: string): Readonly<Record<string, string>> {
  const released = new RegExp(`^## ${version.replaceAll('.', String.raw`\.`)}, \\d{4}-`, 'm').test(changelog);
  return {
    'docs/badges/version.svg': badge('version', released ? version : `${version}, not released`, '#9a6700'),
    'docs/badges/licence.svg': badge('licence', license, '#1a7f37'),
    // Whatever runs `npm ci`, which brings the Node that runs the program.
    'docs/badges/node.svg': badge('Node', '18 or newer', '#0969da'),
  };
}

function badge(name: string, value: string, colour: string): string {
  const [left, right] = [name, value].map((text) => Math.round(text.length * 6.6 + 14)) as [number, number];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img">`,
    `<title>${name}: ${value}</title>`,
    '<style>text{font:11px Verdana,"DejaVu Sans",sans-serif;fill:#fff}</style>',
    `<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#59636e"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/></g>`,
    centred(name, 0, left),
    centred(value, left, right),
    '</svg>\n',
  ].join('\n');
}

function centred(words: string, from: number, width: number): string {
  return `<text x="${from + width / 2}" y="14" text-anchor="middle">${words}</text>`;
}
