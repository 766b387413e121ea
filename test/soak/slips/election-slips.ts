import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** Who leads, and for how long it may be believed. */
export const electionSlips: readonly SoakSlip[] = [
  ofMutants(
    'election',
    'a renewal that was answered late makes the lead last too long',
    'a try is cut after 5 s, and between the deadline (10 s) and the end of the Lease (15 s) there are 5 s',
  ),
  ofMutants('election', 'who ends lets another’s Lease go'),
  ofMutants('election', 'on a restored seed a candidate takes a Lease that another still holds'),
  ofMutants(
    'election',
    'a process that stood still beyond its deadline leads on',
    'a try that was answered late has failed after 5 s, by the clock that stood still as well; the deadline fires right after it',
  ),
  ofMutants(
    'election',
    'a Lease that was taken too slowly counts',
    'a try is cut after 5 s, and between the deadline (10 s) and the end of the Lease (15 s) there are 5 s',
  ),
  ofMutants('election', 'the permission lasts until a timer fires'),
  ofMutants(
    'election',
    'a leader that reads another name in the Lease leads on',
    'nobody takes a Lease before the deadline of its holder is over, which ends the lead by then',
  ),
  ofMutants('election', 'a Lease is overwritten whoever wrote it meanwhile'),
  ofMutants('election', 'a dead leader’s Lease seems fresh with each look'),
  ofMutants('election', 'each renewal counts as a transition'),
  ofMutants('roles', 'the permission to write does not reach the wire'),
  ofMutants('roles', 'the Lease is not let go'),
  ofMutants('roles', 'a standby acts'),
  ofMutants(
    'roles',
    'the election goes by the wall clock: set back, it makes the lead seem to last',
    'a process ends where its clock is set back by more than 5 s, and less is within the time between its deadline and the end of the Lease',
  ),
  {
    file: 'src/adapters/election/lease-contest.ts',
    find: 'if (this.holder !== this.#identity && until > startedAt)',
    put: 'if (this.holder !== this.#identity && until > startedAt + 10_000)',
    says: 'a Lease is taken 10 s before it runs out',
  },
];
