import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** What the machine of a shoot decides, and the judgement of leases beneath it. */
export const machineSlips: readonly SoakSlip[] = [
  ofMutants('machines', 'while the stream of Clusters is out, a shoot that is hibernated is scaled up'),
  ofMutants('machines', 'writes of the other direction stay in the queue'),
  ofMutants('machines', 'a shoot that is hibernated leaves its writes in the queue'),
  ofMutants('machines', 'a watch that lags undoes what our own write was answered'),
  ofMutants('machines', 'probing starts while a shoot is being created'),
  ofMutants('machines', 'a Cluster that cannot be read does not pause its shoot'),
  ofMutants('machines', 'what somebody raises on the way down stays up'),
  ofMutants('machines', 'a shoot stays in leaseFailed until successThreshold is met'),
  ofMutants('machines', 'too few to tell raises whatever stands at 0'),
  ofMutants(
    'machines',
    'a flow is moved only when a probe is due',
    'while anything is down a probe comes every 5 s, and moves it: all comes back some seconds later',
  ),
  ofMutants(
    'machines',
    'what is believed to be down is never looked at again',
    'a watch that says nothing is opened anew after 90 s; the look would come 30 s sooner',
  ),
  ofMutants('machines', 'one more verdict than configured is needed to go down'),
  ofMutants('machines', 'a slow look makes leases expire'),
  ofMutants('returning', 'what is down is probed again and again without a pause'),
  ofMutants(
    'returning',
    'the probe after a scale-down comes an interval later',
    'all comes back some seconds later, which no law forbids',
  ),
  ofMutants('silence', 'what nobody could renew is held against its kubelets'),
  ofMutants('silence', 'leases of nodes that are gone are looked at with each probe'),
  ofMutants('leases', 'a single candidate leads down'),
  ofMutants('leases', 'the shoot’s clock is set right in the wrong direction'),
  ofMutants('leases', 'a shoot whose clock is behind ours is cut off at once'),
  ofMutants('domain', 'a node whose Machine terminates counts as a candidate'),
  ofMutants('domain', 'probing starts while a shoot still wakes up'),
  ofMutants('domain', 'a live migration does not stop the probing'),
  ofMutants('effects', 'a machine that ends leaves its writes in the queue'),
  ofMutants('effects', 'a shoot that comes back is not guarded'),
  ofMutants('effects', 'timers that were replaced still wake'),
  {
    file: 'src/domain/prober/verdict.ts',
    find: 'export const expiryFraction = 0.75;',
    put: 'export const expiryFraction = 0.98;',
    says: 'leases expire a second before their nodes are marked',
  },
];
