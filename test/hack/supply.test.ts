import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkoutFiles } from '../../hack/checkout-files.ts';
import { auditOf } from '../../hack/supply/audit-report.ts';
import { allowedLicences, licenceFaults } from '../../hack/supply/licence-faults.ts';
import { readLock } from '../../hack/supply/lock.ts';
import { readReuse, uncovered } from '../../hack/supply/reuse.ts';
import { sbomFaults, sbomOf, type Component, type Sbom } from '../../hack/supply/sbom.ts';
import { shippedPackages } from '../../hack/supply/shipped.ts';

const root = join(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

const component = (name: string, version = '1.0.0'): Component => ({
  'bom-ref': `${name}@${version}`,
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  licenses: [{ license: { id: 'MIT' } }],
});

describe('licences', () => {
  test('every file of the checkout has a holder and a licence, and the licence its text', () => {
    const files = checkoutFiles(root);
    expect(files.length).toBeGreaterThan(500);
    expect(uncovered(files, readReuse(text('REUSE.toml')))).toEqual([]);
    expect(text('LICENSES/Apache-2.0.txt')).toBe(text('LICENSE'));
    expect((JSON.parse(text('package.json')) as { license: string }).license).toBe('Apache-2.0');
  });

  test.each<[string, string, readonly string[]]>([
    [
      'no annotation fits',
      '[[annotations]]\npath = "src/**"\nSPDX-FileCopyrightText = "A"\nSPDX-License-Identifier = "MIT"',
      ['a.ts is not covered'],
    ],
    [
      'there is no holder',
      '[[annotations]]\npath = "**"\nSPDX-License-Identifier = "MIT"',
      ['a.ts is not covered', 'src/b.ts is not covered'],
    ],
    [
      'a licence has no text',
      '[[annotations]]\npath = ["a.*", "src/**"]\nSPDX-FileCopyrightText = "A"\nSPDX-License-Identifier = "ISC"',
      [
        'a.ts is under ISC, and LICENSES/ISC.txt is not there',
        'src/b.ts is under ISC, and LICENSES/ISC.txt is not there',
      ],
    ],
    ['all is well', '[[annotations]]\npath = "**"\nSPDX-FileCopyrightText = "A"\nSPDX-License-Identifier = "MIT"', []],
  ])('seen where %s', (_, reuse, faults) => {
    expect(uncovered(['LICENSE', 'LICENSES/MIT.txt', 'REUSE.toml', 'a.ts', 'src/b.ts'], readReuse(reuse))).toEqual(
      faults,
    );
  });

  test('what is installed to run the program is under a licence that may ship', () => {
    const { packages } = readLock(text('package-lock.json'));
    const installed = Object.entries(packages).flatMap(([path, { dev, link, version = '', license = 'no licence' }]) =>
      dev === true || link === true || !path.startsWith('node_modules/') ? [] : [{ name: path, version, license }],
    );
    expect(installed.length).toBeGreaterThan(30);
    // Of client-node, and in nothing that ships.
    const installedAlone = ['node_modules/argparse', 'node_modules/stream-buffers'];
    expect(licenceFaults(installed.filter(({ name }) => !installedAlone.includes(name)))).toEqual([]);
  });

  test('and so is what is bundled', async () => {
    const shipped = await shippedPackages(root);
    expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(['undici', 'xstate', 'zod']));
    expect(licenceFaults(shipped)).toEqual([]);
  });

  test.each([
    'GPL-3.0-only',
    'MIT AND GPL-2.0-only',
    'SEE LICENSE IN x',
    '(MIT OR (Apache-2.0 AND GPL-2.0-only))',
    'UNLICENSED',
    '',
  ])('what is under %j may not ship', (license) => {
    expect(licenceFaults([{ name: 'a', version: '1.0.0', license }])).toHaveLength(1);
  });

  test.each([...allowedLicences, 'MIT OR GPL-3.0-only', '(BSD-3-Clause OR Apache-2.0)', 'MIT AND ISC'])(
    'what is under %s may',
    (license) => {
      expect(licenceFaults([{ name: 'a', version: '1.0.0', license }])).toEqual([]);
    },
  );
});

describe('the bill of materials', () => {
  const installed: Sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: 'urn:uuid:fdd5f178-4f56-4d6f-8b4d-7754487f90a4',
    version: 1,
    metadata: { component: component('folder') },
    components: [component('@a/b'), component('c'), component('dev')],
    dependencies: [
      { ref: 'folder@1.0.0', dependsOn: ['@a/b@1.0.0', 'dev@1.0.0'] },
      // A workspace of ours.
      { ref: 'watchdog@2.0.0', dependsOn: ['c@1.0.0'] },
      { ref: '@a/b@1.0.0', dependsOn: ['c@1.0.0'] },
      { ref: 'c@1.0.0', dependsOn: [] },
      { ref: 'dev@1.0.0', dependsOn: ['c@1.0.0'] },
    ],
  };
  const shipped = [component('@a/b'), component('c')];
  const own = { name: 'watchdog', version: '2.0.0', description: 'It watches' };

  test('names what ships and nothing else, under the program’s own name', () => {
    const sbom = sbomOf(installed, own, shipped);
    expect(sbomFaults(sbom)).toEqual([]);
    expect(sbom.metadata.component).toMatchObject({ name: 'watchdog', version: '2.0.0', type: 'application' });
    expect(sbom.components.map(({ name }) => name)).toEqual(['@a/b', 'c']);
    expect(sbom.dependencies).toEqual([
      { ref: 'watchdog@2.0.0', dependsOn: ['@a/b@1.0.0', 'c@1.0.0'] },
      { ref: '@a/b@1.0.0', dependsOn: ['c@1.0.0'] },
      { ref: 'c@1.0.0', dependsOn: [] },
    ]);
  });

  test('a package that npm does not know is no reason to leave it out', () => {
    expect(() => sbomOf(installed, own, [component('d')])).toThrow('npm sbom has no d 1.0.0');
  });

  test.each<[Partial<Sbom>, string]>([
    [{ bomFormat: 'SPDX' }, 'bomFormat is not CycloneDX'],
    [{ specVersion: '' }, 'specVersion is none'],
    [{ serialNumber: 'one' }, 'serialNumber is no UUID'],
    [{ version: 0 }, 'version is no whole number above 0'],
    [{ metadata: { component: component('watchdog', '2.0.0') } }, 'the program is no application'],
    [{ components: [...shipped, component('c')] }, 'two components have one bom-ref'],
    [{ components: [...shipped, { ...component('d'), licenses: [] }] }, 'd has no licence'],
    [{ components: [...shipped, { ...component('d'), purl: '' }] }, 'd has no purl'],
    [{ components: [...shipped, { ...component('d'), type: '' }] }, 'd lacks its type, name or version'],
    [{ dependencies: [{ ref: 'c@1.0.0', dependsOn: ['x@1.0.0'] }] }, 'x@1.0.0 is depended on, and no component'],
  ])('a fault is seen: %j', (changes, fault) => {
    expect(sbomFaults({ ...sbomOf(installed, own, shipped), ...changes })).toEqual([fault]);
  });
});

describe('npm’s audit', () => {
  test('a fault of any package counts, and is named', () => {
    const via = [{ title: 'Reads too much', url: 'https://example.org/1' }];
    const report = {
      metadata: { vulnerabilities: { high: 1, total: 2 } },
      vulnerabilities: {
        a: { name: 'a', severity: 'high', range: '<2', via },
        b: { name: 'b', severity: 'high', range: '*', via: ['a'] },
      },
    };
    expect(auditOf(report)).toEqual({
      verdict: 'faulty',
      lines: ['high: a <2: Reads too much https://example.org/1', 'high: b *: by a'],
    });
  });

  test('nothing found is clean', () => {
    expect(auditOf({ metadata: { vulnerabilities: { total: 0 } }, vulnerabilities: {} }).verdict).toBe('clean');
  });

  test('no answer is not taken for a good one', () => {
    expect(auditOf({ message: '405 Method Not Allowed' })).toEqual({
      verdict: 'unknown',
      lines: ['the registry in use does not answer npm audit: 405 Method Not Allowed'],
    });
  });
});
