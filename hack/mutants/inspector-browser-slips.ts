import type { Slip } from './slip.ts';

const assets: readonly string[] = ['test/inspector/page-assets.test.ts'];
const pictures: readonly string[] = ['test/hack/pictures.test.ts'];
const programs: readonly string[] = ['test/hack/programs.test.ts'];

/** The page as it ships, its pictures, and the browser that tries it. */
export const inspectorBrowserSlips: readonly Slip[] = [
  {
    file: 'src/inspector/serve/bundle-page.ts',
    find: "['base.css', ...sheets",
    put: '[...sheets',
    says: 'the page is shown without what all its style sheets share',
    tests: assets,
  },
  {
    file: 'src/inspector/serve/bundle-page.ts',
    find: 'minify: true',
    put: 'minify: false',
    says: 'the page takes longer to load than it must',
    tests: assets,
  },
  {
    file: 'src/inspector/serve/bundle-page.ts',
    find: "platform: 'browser'",
    put: "platform: 'browser',\n    external: [/xstate/]",
    says: 'the page asks for a module that nobody serves',
    tests: assets,
  },
  {
    file: 'src/inspector/serve/page-assets.ts',
    find: 'promisify(gzip)(body, { level: 9 })',
    put: 'promisify(gzip)(body, { level: 0 })',
    says: 'the page is not compressed',
    tests: assets,
  },
  {
    file: 'hack/docs/read-png.ts',
    find: 'if (filter === 2) return above;',
    put: 'if (filter === 2) return left;',
    says: 'a picture is read with wrong colours',
    tests: pictures,
  },
  {
    file: 'hack/docs/pictures.ts',
    find: 'size > mostBytes',
    put: 'size > 2 * mostBytes',
    says: 'a picture that is too large is kept',
    tests: pictures,
  },
  {
    file: 'hack/docs/palette-png.ts',
    find: '.toSorted(([, one], [, other]) => other - one)',
    put: '.toSorted(([, one], [, other]) => one - other)',
    says: 'the colours that are used most are those that a picture loses',
    tests: pictures,
  },
  {
    file: 'hack/programs/find-program.ts',
    find: '[name, ...source.others]',
    put: '[...source.others, name]',
    says: 'another browser is taken although the one that is asked for is there',
    tests: programs,
  },
];
