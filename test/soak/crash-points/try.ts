import { flows } from './flows.ts';
import { quietOf } from './play.ts';
for (const { name } of flows.filter((f) => f.name.includes('weeder'))) {
  const { trial: t } = await quietOf(name);
  const s = (n: number) => (n - 1780315200000) / 1000;
  console.log(name, t.points.length, 'from', s(t.points[0]!.at), 'over', s(t.overAt), t.ends, t.writes.map((w) => `${s(w.at)} ${w.words}`), t.broken);
}
