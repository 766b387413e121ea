import type { ResourceChange } from '../../domain/prober/resource-change.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import { seconds } from './quantity-words.ts';
import { shortName } from './short-name.ts';

/** A command as an operator would tell it: `scale kube-controller-manager from 1 to 0 (mark, record 1)`. `at`: the turn's. */
export function shootCommandWords(command: ShootTurn['commands'][number], at: Instant): string {
  switch (command.type) {
    case 'wake':
      return `wake in ${seconds(command.params.at - at)}`;
    case 'probe':
      return `probe (${command.params.number})`;
    case 'listCandidates':
      return `list nodes and Machines${command.params.cluster ? ', ask for the Cluster' : ''} (${command.params.number})`;
    case 'scale': {
      const { number, key, seen, change, urgent } = command.params;
      return `${changeWords(shortName(key), seen.replicas, change)}${urgent ? ', urgently' : ''} (write ${number})`;
    }
    case 'withdraw':
      return `withdraw write ${command.params.number}`;
    case 'read':
      return `read ${shortName(command.params.key)} (${command.params.number})`;
  }
}

function changeWords(name: string, from: number, { replicas, mark, record }: ResourceChange): string {
  const annotations = [
    mark === true && 'mark',
    mark === false && 'unmark',
    typeof record === 'number' && `record ${record}`,
    record === null && 'drop the record',
  ].filter((word) => word !== false);
  if (replicas === undefined) return `${annotations.join(', ')} ${name}`;
  return `scale ${name} from ${from} to ${replicas}${annotations.length === 0 ? '' : ` (${annotations.join(', ')})`}`;
}
