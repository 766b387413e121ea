import { expect, onTestFinished, test } from 'vitest';
import type { Kubelets } from '../real/played-kubelets.ts';
import { MachineCloud } from '../real/machine-cloud.ts';

/** Kubelets that are names alone; one of this name cannot start. */
function namesAlone(broken = ''): Kubelets {
  const running: string[] = [];
  return {
    names: running,
    failures: [],
    async start(name) {
      if (name === broken) throw new Error('no place');
      running.push(name);
    },
    end: async (name) => void running.splice(running.indexOf(name), running.includes(name) ? 1 : 0),
    cutOff: () => {},
    heal: () => {},
    haveRenewed: async () => true,
    stop: async () => {},
  };
}

async function cloudOf(kubelets: Kubelets) {
  const cloud = await MachineCloud.start(kubelets, 0);
  onTestFinished(() => cloud.stop());
  return async (method: string, path: string) => {
    const { status, text } = await fetch(`${cloud.url}${path}`, { method }).then(async (answer) => ({
      status: answer.status,
      text: await answer.text(),
    }));
    return text === '' ? status : `${status} ${text}`;
  };
}

test('the cloud starts and ends the kubelet of a machine, and neither twice', async () => {
  const kubelets = namesAlone();
  const send = await cloudOf(kubelets);
  for (const name of ['a-1', 'a-1', 'a-2']) expect(await send('PUT', `/machines/${name}`)).toBe(200);
  expect(await send('GET', '/machines')).toBe('200 ["a-1","a-2"]');
  await expect.poll(() => kubelets.names).toEqual(['a-1', 'a-2']);
  for (const name of ['a-1', 'a-1']) expect(await send('DELETE', `/machines/${name}`)).toBe(200);
  expect(await send('GET', '/machines')).toBe('200 ["a-2"]');
  expect(kubelets.names).toEqual(['a-2']);
});

test('a machine that does not come up is gone, and the cloud takes no other path', async () => {
  const send = await cloudOf(namesAlone('a-1'));
  expect(await send('PUT', '/machines/a-1')).toBe(200);
  await expect.poll(() => send('GET', '/machines')).toBe('200 []');
  expect(await send('PUT', '/machines/../etc')).toBe(404);
  expect(await send('POST', '/machines')).toBe(404);
});
