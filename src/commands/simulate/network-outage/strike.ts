import type { PathFault } from '../../../simulator/api/path-fault.ts';
import type { EmbeddedShoot } from '../../../simulator/shoot/embedded-shoot.ts';
import type { NetworkModel } from './network-model.ts';
import type { Phase } from './observation.ts';

/** A load balancer drops everything, as a broken network does; refuses, as one that is gone; or resets, as one without a target. */
const waysToFail: readonly PathFault[] = [{ kind: 'hang' }, { kind: 'refuse' }, { kind: 'reset' }];

/** Does to a shoot that is hit what the phase begins with. With each outage a load balancer fails in another way. */
export async function strike(
  shoot: EmbeddedShoot,
  phase: Phase,
  { twoPaths, outage }: Pick<NetworkModel, 'twoPaths' | 'outage'>,
): Promise<void> {
  switch (phase) {
    case 'calm':
    case 'over':
      return;
    case 'internalOutage':
      return shoot.paths.break('internal', { kind: 'refuse' });
    case 'internalHealing':
      return shoot.paths.heal('internal');
    case 'outage': {
      const fault = waysToFail[(outage - 1) % waysToFail.length];
      return twoPaths && fault !== undefined ? shoot.paths.break('external', fault) : shoot.cutOff();
    }
    case 'healing':
      return twoPaths ? shoot.paths.heal('external') : shoot.heal();
  }
}
