import type { Slip } from './slip.ts';

const standing: readonly string[] = ['test/domain/standing.test.ts'];
const status: readonly string[] = ['test/commands/status.test.ts'];

/** The command `status`, and what it judges by. */
export const statusSlips: readonly Slip[] = [
  {
    file: 'src/domain/prober/standing.ts',
    find: '(youngest(up) ?? -Infinity) >= lowered',
    put: '(youngest(up) ?? -Infinity) < lowered',
    says: 'status takes the way up for the way down',
    tests: standing,
  },
  {
    file: 'src/domain/prober/standing.ts',
    find: "if (state === 'downByOthers' && course === 'probed')",
    put: "if (state === 'downByOthers')",
    says: 'every hibernated shoot is at odds',
    tests: standing,
  },
  {
    file: 'src/domain/prober/standing.ts',
    find: 'instants.length < down.length ? { by } :',
    put: 'instants.length === 0 ? { by } :',
    says: 'since when a shoot is down is guessed where one dependant does not tell',
    tests: standing,
  },
  {
    file: 'src/domain/prober/standing.ts',
    find: 'Number(isAtOdds(other)) - Number(isAtOdds(one)) ||',
    put: '',
    says: 'what is at odds stands among all others',
    tests: standing,
  },
  {
    file: 'src/domain/prober/field-writes.ts',
    find: 'isWatchdog({ by }) ?',
    put: 'true ?',
    says: "the instant of gardenlet's last write passes for that of the replicas",
    tests: ['test/domain/field-writes.test.ts'],
  },
  {
    file: 'src/domain/prober/prober-told.ts',
    find: "if (standing.state !== 'down' || at === undefined)",
    put: 'if (at === undefined)',
    says: 'what is up again still has an instant at which it went down',
    tests: ['test/domain/prober-told.test.ts'],
  },
  {
    file: 'src/commands/status/status-report.ts',
    find: "leader.is === 'nobody' || ",
    put: '',
    says: 'that nobody leads ends with code 0',
    tests: status,
  },
  {
    file: 'src/commands/status.ts',
    find: 'return isSeedAtOdds(first) ? 1 : 0;',
    put: 'return 0;',
    says: 'status ends with code 0, whatever it found',
    tests: status,
  },
  {
    file: 'src/commands/status/seed-look.ts',
    find: 'if (appsPlural(ref) !== undefined)',
    put: 'if (false as boolean)',
    says: 'where Deployments may not be listed, status asks for each of them',
    tests: status,
  },
  {
    file: 'src/domain/prober/lease-account.ts',
    find: ' && !left.has(lease.node)',
    put: '',
    says: 'a node that leaves is named among those that are cut off',
    tests: ['test/domain/lease-account.test.ts'],
  },
  {
    file: 'src/domain/prober/lease-account.ts',
    find: 'all.slice(0, mostNamed)',
    put: 'all',
    says: 'a line names five thousand nodes',
    tests: ['test/domain/lease-account.test.ts'],
  },
  {
    file: 'src/adapters/turns/lease-accounts.ts',
    find: "return verdict?.verdict === 'connected' ? { expired } : ",
    put: 'return ',
    says: 'who was left out is told where it decided nothing',
    tests: ['test/observers/lease-accounts.test.ts'],
  },
  {
    file: 'src/adapters/events/shoot-occurrences.ts',
    find: 'return { namespace, ref: refOf(key), ...(uid === undefined ? {} : { uid }) };',
    put: 'return { namespace, ref: refOf(key) };',
    says: 'kubectl describe does not show that a scaling was not done in time',
    tests: ['test/observers/kube-events.test.ts'],
  },
  {
    file: 'src/adapters/events/kube-events.ts',
    find: "message.slice(0, message.indexOf(':'))",
    put: 'message',
    says: 'a shoot that flaps has an event for each flap, since the ages in it differ',
    tests: ['test/observers/kube-events.test.ts'],
  },
];
