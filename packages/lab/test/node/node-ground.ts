import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { NodePrograms } from '../../real-node/node-programs.ts';
import { RealNode, type NodeWishes } from '../../real-node/real-node.ts';
import { noteIn, type Figure } from '../support/figures.ts';

/** What the set-up of this tier found or built. */
type NodeGround = Readonly<{
  programs: NodePrograms;
  /** An archive of our image. */
  image: string;
  /** For logs and all. */
  directory: string;
  /** Takes a line of JSON for each figure of the table. */
  figures: string;
}>;

declare module 'vitest' {
  interface ProvidedContext {
    nodeGround: NodeGround;
  }
}

/** A node of its own for a file of tests, that has our image. Its API server logs each request. `kubeconfig`: the administrator's, for this machine. */
export async function startNode(
  wishes: Omit<NodeWishes, 'auditLog'> = {},
): Promise<Readonly<{ node: RealNode; auditLog: string; kubeconfig: string }>> {
  const { programs, image, directory } = inject('nodeGround');
  const place = mkdtempSync(join(directory, 'node-'));
  const auditLog = join(place, 'audit.log');
  const node = await RealNode.start(programs, place, { ...wishes, auditLog });
  await node.runtime.import(image);
  const kubeconfig = join(place, 'admin-here.kubeconfig');
  writeFileSync(kubeconfig, node.server.kubeconfig('admin'));
  return { node, auditLog, kubeconfig };
}

export function noteFigure(figure: Figure): void {
  noteIn(inject('nodeGround').figures, figure);
}
