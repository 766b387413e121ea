import { expect, test } from 'vitest';
import { WeederDriver } from '@dwd/testing/weeder-driver.ts';

const unselected = { owner: 'o', spared: 'unselected' } as const;

function opened(): WeederDriver {
  const driver = new WeederDriver();
  driver.up();
  return driver;
}

function closedNote(driver: WeederDriver) {
  driver.ringAtEnd();
  return driver.outcome.notes.find(({ kind }) => kind === 'windowClosed');
}

test('7.7 S8 a pod that no selector picks is told of, and never deleted; it is not left behind either', () => {
  const driver = opened();
  expect(driver.pod('csi', 'waiting', unselected)).toEqual(['say spared csi (unselected)']);
  expect(driver.pod('kcm')).toEqual(['delete kcm']);
  driver.answers('kcm');
  expect(closedNote(driver)).toEqual({
    kind: 'windowClosed',
    deleted: 1,
    left: 0,
    unselected: { count: 1, names: ['csi'] },
  });
});

test('7.7 ten are named and all counted, of those that still crash-loop when the window is over', () => {
  const driver = opened();
  for (let index = 0; index < 14; index += 1) driver.pod(`csi-${index}`, 'waiting', unselected);
  driver.podGone('csi-0');
  driver.pod('csi-1', 'fine');
  expect(closedNote(driver)).toMatchObject({
    unselected: { count: 12, names: Array.from({ length: 10 }, (_, index) => `csi-${index + 2}`) },
  });
  const other = opened();
  other.pod('still', 'waiting', { spared: 'mirror' });
  expect(closedNote(other)).toEqual({ kind: 'windowClosed', deleted: 0, left: 0 });
});

test('7.7 S8 once no selector picks a pod any more, its deletion is taken back; and once one does, it goes', () => {
  const driver = opened();
  driver.pod('kcm', 'waiting', { owner: 'o' });
  expect(driver.pod('kcm', 'waiting', unselected)).toEqual(['withdraw kcm']);
  const other = opened();
  other.pod('csi', 'waiting', unselected);
  expect(other.pod('csi', 'waiting', { owner: 'o' })).toEqual(['delete csi']);
});
