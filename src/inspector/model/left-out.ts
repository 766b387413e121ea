import { leftOutWords } from '../../adapters/words/lease-words.ts';
import { judgeNodes, nodeConditionsOf } from '../../domain/prober/candidates.ts';
import type { ClusterView } from '../../domain/prober/cluster-view.ts';
import type { ShootEventOf } from '../../machines/shoot-language.ts';

/** Why the lease of a node does not count, as a look found (SPEC 5.2); undefined for one that counts. */
export function whyLeftOut(
  { nodes, machines }: Pick<ShootEventOf<'candidates.answered'>, 'nodes' | 'machines'>,
  cluster: ClusterView | null | undefined,
): (node: string) => string | undefined {
  const whyNot = judgeNodes({ nodes, machines, unhealthyConditions: nodeConditionsOf(cluster?.workers ?? []) });
  const known = new Map(nodes.map((node) => [node.name, node]));
  return (name) => {
    const node = known.get(name);
    const why = node === undefined ? ({ because: 'noNode' } as const) : whyNot(node);
    return why === undefined ? undefined : leftOutWords(why);
  };
}
