/**
 * Vitest runs this once before all tests of the tier, and its answer after them: it finds or builds the programs of a node, and the image.
 * `DWD_IMAGE` names one that was built elsewhere, as an OCI layout (`oci:DIRECTORY:TAG`). Rejects with the reason where no node can be run
 * here: the tier is never passed over in silence.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { buildStandInImage } from '../../../../hack/image/stand-in/build-image.ts';
import { endTheLiving, isRemovedAfterUs } from '../../real/clearing-up.ts';
import { findNodePrograms } from '../../real-node/node-programs.ts';
import { obstacleToNode } from '../../real-node/obstacle.ts';
import { archiveLayout } from '../../real-node/static-image.ts';
import { images } from './image-names.ts';
import { figureLines } from '../support/figures.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const obstacle = obstacleToNode();
  if (obstacle !== undefined) throw new Error(`A real node cannot be run here: ${obstacle}`);
  const directory = mkdtempSync(join(tmpdir(), 'dwd-real-node-'));
  isRemovedAfterUs(directory);
  const programs = await findNodePrograms(say);
  const layout = /^oci:([^:]+)/.exec(process.env['DWD_IMAGE'] ?? '')?.[1] ?? join(directory, 'layout');
  if (!existsSync(layout)) await buildStandInImage(layout, say);
  const image = join(directory, 'image.tar');
  await archiveLayout(layout, image, images);
  const figures = join(directory, 'figures');
  writeFileSync(figures, '');
  project.provide('nodeGround', { programs, image, directory, figures });
  return async () => {
    await endTheLiving();
    const table = figureLines('the real node', readFileSync(figures, 'utf8'));
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (table.length > 0) say(`\n${table.join('\n')}\n`);
  };
}
