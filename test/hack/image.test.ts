import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runtimeEnvironment } from '../../hack/build/runtime-flags.ts';
import { basesOf, buildWords } from '../../hack/image/build-words.ts';
import { builderNames, chooseBuilder, type BuilderName } from '../../hack/image/builder.ts';
import { standIns } from '../../hack/image/stand-in/bases.ts';

const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
const lines = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const of = (instruction: string) => lines.filter((line) => line.startsWith(`${instruction} `));
const facts = { version: '1.2.3', revision: 'a'.repeat(40), epoch: 1_700_000_000, source: undefined };

const obstacles = (without: readonly BuilderName[]) => (name: BuilderName) =>
  Promise.resolve(without.includes(name) ? `no ${name}` : undefined);

describe('1.6 the Dockerfile', () => {
  test('1.6 gives Node what the measurements were made with', () => {
    const env = of('ENV').join(' ');
    for (const [name, value] of Object.entries(runtimeEnvironment))
      expect(env.replaceAll('"', '')).toContain(`${name}=${value}`);
    expect(env.match(/[A-Z_]+=/g)).toHaveLength(Object.keys(runtimeEnvironment).length);
  });

  test('1.6 runs nothing but on the platform of the builder', () => {
    const stages = of('FROM');
    expect(stages[0]).toMatch(/^FROM --platform=\$BUILDPLATFORM /);
    expect(stages.slice(1).filter((line) => line.includes('--platform'))).toEqual([]);
    expect(lines.slice(lines.indexOf(stages[1] ?? '')).filter((line) => line.startsWith('RUN'))).toEqual([]);
  });

  test('1.6 takes every argument that a build gives it, and has a stand-in for each base', () => {
    const declared = new Set(of('ARG').map((line) => line.slice(4).split('=')[0]));
    const given = buildWords('docker', 'x', facts).flatMap((word) => /^([A-Z_]+)=/.exec(word)?.[1] ?? []);
    expect(new Set(given)).toEqual(declared);
    const bases = basesOf(of('FROM').join('\n')).map((base) => base.split('@')[0]);
    expect(new Set(bases)).toEqual(new Set(standIns.map(({ name }) => name)));
  });
});

describe('1.6 a build', () => {
  test.each<[BuilderName, readonly BuilderName[]]>([
    ['docker', []],
    ['podman', ['docker']],
    ['buildah', ['docker', 'podman']],
  ])('1.6 takes %s where these are missing: %j', async (chosen, without) => {
    expect(await chooseBuilder(undefined, obstacles(without))).toBe(chosen);
  });

  test('1.6 says of each builder why it cannot be used', async () => {
    await expect(chooseBuilder(undefined, obstacles(builderNames))).rejects.toThrow(
      'no image can be built here (docker: no docker; podman: no podman; buildah: no buildah)',
    );
    await expect(chooseBuilder('docker', obstacles(['docker']))).rejects.toThrow('(docker: no docker)');
  });

  test('1.6 stamps version, commit and the time of the commit, in the way of each builder', () => {
    const words = buildWords('docker', 'name:tag', { ...facts, source: 'https://example.com/it' });
    expect(words).toEqual(
      expect.arrayContaining([
        'VERSION=1.2.3',
        `REVISION=${facts.revision}`,
        'CREATED=2023-11-14T22:13:20Z',
        'SOURCE_DATE_EPOCH=1700000000',
        'org.opencontainers.image.source=https://example.com/it',
      ]),
    );
    expect(words).not.toContain('--timestamp');
    expect(buildWords('buildah', 'name:tag', facts)).toEqual(expect.arrayContaining(['--timestamp', '1700000000']));
    expect(buildWords('podman', 'name:tag', facts).join(' ')).not.toContain('image.source');
  });
});
