import type { Slip } from './slip.ts';

const shoot: readonly string[] = ['test/inspector/model/lanes-shoot.test.ts'];
const timeline: readonly string[] = ['test/inspector/model/timeline.test.ts'];
const track: readonly string[] = ['test/inspector/model/lanes-track.test.ts'];
const window: readonly string[] = ['test/inspector/model/lanes-window.test.ts'];

/** What the inspector tells of one machine in time. */
export const inspectorTimeSlips: readonly Slip[] = [
  {
    file: 'src/inspector/model/timeline/shoot-lanes.ts',
    find: "if (!('number' in event) || event.number !== asked) return;",
    put: '',
    says: 'a late answer of another probe ends the one that is under way',
    tests: shoot,
  },
  {
    file: 'src/inspector/model/timeline/lease-lanes.ts',
    find: 'if (seen === null) return stop(turn.at);',
    put: 'if (seen === null) return;',
    says: 'leases of a shoot that is paused stay expired for ever',
    tests: shoot,
  },
  {
    file: 'src/inspector/model/timeline/lease-lanes.ts',
    find: 'if (lease !== undefined) face(state, askedAt, lease);',
    put: '',
    says: 'a node that counts again looks fresh until the next probe',
    tests: shoot,
  },
  {
    file: 'src/inspector/model/timeline/lease-lanes.ts',
    find: 'if (renewed.at(-1) === renewedAt) seen[seen.length - 1] = askedAt;',
    put: 'if (renewed.at(-1) === renewedAt) seen[seen.length - 1] = renewedAt;',
    says: 'a lease that nobody renews grows no older',
    tests: shoot,
  },
  {
    file: 'src/inspector/model/timeline/track.ts',
    find: 'else if (last !== undefined && gap) of.stop(last.at, missing);',
    put: '',
    says: 'what stood before missing turns is told of the time between',
    tests: shoot,
  },
  {
    file: 'src/inspector/model/timeline/track.ts',
    find: 'if (at <= last.from) spans.pop();',
    put: 'if (at < last.from) spans.pop();',
    says: 'what had no time to be seen stays in its lane',
    tests: track,
  },
  {
    file: 'src/inspector/model/timeline/timeline.ts',
    find: 'last.run === turn.run ? turn.seq <= last.seq : turn.at < last.at',
    put: 'turn.at < last.at',
    says: 'turns that a stream tells again stand there twice',
    tests: timeline,
  },
  {
    file: 'src/inspector/model/timeline/timeline.ts',
    find: 'return { ...first, gap: !samePlain(before.after, first.before) };',
    put: 'return first;',
    says: 'nobody says that turns are missing between two pages',
    tests: timeline,
  },
  {
    file: 'src/inspector/model/timeline/time-window.ts',
    find: 'const share = (about - window.from) / length;',
    put: 'const share = 0.5;',
    says: 'what the pointer is on runs away when one zooms',
    tests: window,
  },
  {
    file: 'src/inspector/model/timeline/lanes.ts',
    find: '?? Infinity) >= from);',
    put: '?? 0) >= from);',
    says: 'a span that goes on is not seen',
    tests: track,
  },
];
