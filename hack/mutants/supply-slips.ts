import type { Slip } from './slip.ts';

const supply: readonly string[] = ['test/hack/supply.test.ts'];
const workflows: readonly string[] = ['test/hack/workflows.test.ts'];

/** What is shipped, released and written for readers. */
export const supplySlips: readonly Slip[] = [
  {
    file: 'hack/supply/licence-faults.ts',
    find: "split(' AND ').every(",
    put: "split(' AND ').some(",
    says: 'of two licences that both count one may be any',
    tests: supply,
  },
  {
    file: 'hack/supply/reuse.ts',
    find: 'return files.includes(licence) ? []',
    put: 'return licence ? []',
    says: 'a licence without its text is enough',
    tests: supply,
  },
  {
    file: 'hack/supply/sbom.ts',
    find: 'dependsOn.filter((one) => known.has(one))',
    put: 'dependsOn',
    says: 'the bill of materials depends on what does not ship',
    tests: supply,
  },
  {
    file: 'hack/supply/audit-report.ts',
    find: "verdict: 'unknown',",
    put: "verdict: 'clean',",
    says: 'a registry that does not tell of faults is taken for one that knows of none',
    tests: supply,
  },
  {
    file: 'hack/tidy/workflows.ts',
    find: '@[0-9a-f]{40} # v',
    put: '@[0-9a-fv]+ # v',
    says: 'an action is pinned by a tag that can be moved',
    tests: workflows,
  },
  {
    file: 'hack/release/notes.ts',
    find: 'if (own === version) return',
    put: 'if (version.startsWith(own ?? version)) return',
    says: 'a release gets the notes of another one',
    tests: ['test/hack/release-notes.test.ts'],
  },
  {
    file: 'hack/tidy/links.ts',
    find: 'return anchors.get(path)?.has(anchor) === true ? []',
    put: 'return anchors.has(path) ? []',
    says: 'a link may lead to a heading that is not there',
    tests: ['test/links.test.ts'],
  },
  {
    file: 'hack/docs/written-keys.ts',
    find: 'default: need ?? standard',
    put: 'default: standard',
    says: 'the reference does not say what must be written',
    tests: ['test/hack/configuration-page.test.ts'],
  },
];
