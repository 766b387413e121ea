import { expect, test } from 'vitest';
import { roomTable } from '../../hack/coverage/room-table.ts';

test('a line for each room, and one for all of src; nothing is rounded up', () => {
  const lines = { covered: 999, total: 1_000 };
  const table = roomTable([
    { path: '/x/src/machines/a.ts', lines, branches: { covered: 1, total: 2 } },
    { path: '/x/src/domain/prober/b.ts', lines: { covered: 10, total: 10 }, branches: { covered: 0, total: 0 } },
    { path: '/x/src/domain/c.ts', lines: { covered: 0, total: 10 }, branches: { covered: 3, total: 4 } },
    { path: '/x/src/main.ts', lines: { covered: 9_999, total: 10_000 }, branches: { covered: 1, total: 1 } },
  ]);
  expect(table.split('\n').slice(1)).toEqual([
    'src/domain           2    50.0      75.0    10      1',
    'src/machines         1    99.9      50.0     1      1',
    'src/main.ts          1    99.9     100.0     1      0',
    'src                  4    99.8      71.4    12      2',
  ]);
});
