/**
 * Vitest runs this once before all tests of the tier, and its answer after them: it builds the image and unpacks it. `DWD_IMAGE` names one
 * that was built elsewhere, as an OCI layout (`oci:DIRECTORY:TAG`). Rejects with ProgramMissing where what the tests
 * need cannot be had: the tier is never passed over in silence.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { findControlPlane } from '../../control-plane/find-control-plane.ts';
import { runProgram } from '../../control-plane/run-program.ts';
import { buildStandInImage } from '../../../../hack/image/stand-in/build-image.ts';
import { findProgram } from '../../programs/find-program.ts';
import { endTheLiving, isRemovedAfterUs } from '../../real/clearing-up.ts';
import { figureLines } from '../support/figures.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.getuid?.() !== 0) throw new Error('containers with network and memory limits of their own need root');
  const [runc, umoci, skopeo] = await Promise.all([findProgram('runc'), findProgram('umoci'), findProgram('skopeo')]);
  await findProgram('ip');
  // The tests ask for it as well; here it is said what is missing, once.
  await findControlPlane(say);
  const directory = mkdtempSync(join(tmpdir(), 'dwd-image-'));
  isRemovedAfterUs(directory);
  const given = process.env['DWD_IMAGE'];
  const layout = given ?? `oci:${join(directory, 'layout')}:image`;
  if (given === undefined) await buildStandInImage(join(directory, 'layout'), say);
  const [files, bundle] = [join(directory, 'files'), join(directory, 'bundle')];
  for (const place of [files, bundle])
    await runProgram(umoci, ['unpack', '--image', layout.replace(/^oci:/, ''), place]);
  const figures = join(directory, 'figures');
  writeFileSync(figures, '');
  project.provide('image', { layout, files, bundle, programs: { runc, skopeo }, figures });
  return async () => {
    await endTheLiving();
    const table = existsSync(figures) ? figureLines('the container', readFileSync(figures, 'utf8')) : [];
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (table.length > 0) say(`\n${table.join('\n')}\n`);
    if (given === undefined)
      say('The image was built on stand-ins for its bases: the true ones are proven only where there is a registry.');
  };
}
