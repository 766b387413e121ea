import packageJson from '../../../src/package.json' with { type: 'json' };
import { Program } from '@dwd/testing/program.ts';
import type { Outcome, NightScene } from './scene.ts';
import { SceneStage } from './scene-stage.ts';

/** Plays a scene with the real program. Rejects where it does not say what the scene waits for, or does not end. */
export async function playScene(scene: NightScene): Promise<Outcome> {
  const stage = new SceneStage();
  try {
    const places = { dir: stage.dir, ...(await scene.around?.(stage)) };
    const filled = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (places as Record<string, string>)[name] ?? whole);
    for (const [name, text] of Object.entries(scene.files ?? {})) stage.file(name, filled(text));
    const env = Object.fromEntries(Object.entries(scene.env ?? {}).map(([name, value]) => [name, filled(value)]));
    const options = { env, input: scene.input ?? '' };
    const program = new Program(stage.test, scene.args.split(' ').map(filled), options);
    if (scene.until !== undefined) {
      if (scene.meanwhile !== undefined) {
        await program.says(scene.meanwhile.once);
        scene.meanwhile.happens();
      }
      await program.says(scene.until);
      program.kill('SIGTERM');
    }
    const { code, stdout, stderr } = await program.end();
    const lines = `${stdout}\n${stderr}`.split('\n').map((line) => inWords(line.trimEnd()));
    const shown = scene.lines === undefined ? lines : lines.filter((line) => scene.lines?.test(line));
    return { lines: withoutChance(shown.join('\n').trim(), places).split('\n'), code };
  } finally {
    await stage.end();
  }
}

/** Fields of a log line that say nothing to a reader of the table. */
const unshown = ['level', 'ts', 'msg', 'version', 'commit', 'node', 'ports', 'config', 'tookMs'];

/** A line of the log as a person reads it: `error: cannot watch clusters … (stream clusters)`. Any other line as it is. */
function inWords(line: string): string {
  if (!line.startsWith('{"')) return line;
  try {
    const record = JSON.parse(line) as Record<string, unknown>;
    if (typeof record['msg'] !== 'string') return line;
    const fields = Object.entries(record)
      .filter(([name]) => !unshown.includes(name))
      .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return `${String(record['level'])}: ${record['msg']}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`;
  } catch {
    return line;
  }
}

/** Without what differs from one run, or one machine, to the next. */
function withoutChance(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places)
    .reduce((shorter, [name, value]) => shorter.replaceAll(value, name.toUpperCase()), text)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replaceAll(/\b\d+\.\d+ (?=m?s\b)/g, 'N ')
    .replaceAll(/(?<=127\.0\.0\.1:|localhost:)\d{4,5}\b/g, 'PORT')
    .replaceAll(/(?<![\d.:/])v?\d+\.\d+\.\d+(?![\d.])/g, (version) =>
      version.endsWith(packageJson.version) ? 'VERSION' : 'NODE',
    )
    .replaceAll(/[^\s"=]*\/dependency-watchdog-\w{6}(?=\/)/g, 'TMP')
    .replaceAll(/(?<=-USR2 |"processId":)\d+/g, 'PID')
    .replaceAll(/[\w.-]+_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'HOLDER')
    .replaceAll(/\b[0-9a-f]{12,40}\b/g, 'COMMIT');
}
