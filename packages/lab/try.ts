/**
 * `npm run try`: a seed of your own to try a prober on. A real etcd and two real kube-apiservers, the seed and the one shoot in it, with
 * Gardener's kinds, grants and configuration; only kubelets and pods are played. The kubelets come through a TCP load balancer that fails.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import {
  configuredBy,
  configuredOptions,
  preparePlace,
  type Configured,
  guards,
  startProber,
} from './meltdown/place.ts';
import { PlayedDeployments } from './meltdown/played-deployments.ts';
import { readOptions } from './options/read-options.ts';
import { endTheLiving } from './real/clearing-up.ts';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import { startSeed, startShoot } from './real/gardener-servers.ts';
import { prepareGround } from './control-plane/prepare-ground.ts';
import { PlayedKubelets } from './real/played-kubelets.ts';
import { addShoot } from './real/seed-objects.ts';
import { RealShootPaths } from './real/shoot-paths.ts';

const shoot = 'shoot--try--one';
const nodeCount = 3;

const usage = `Usage: npm run try -- [--once] [--generation leases|two-paths | --config-file FILE]

Starts a real seed with one shoot, and prints the command that starts a prober on it. Type "cut" to cut the shoot's nodes off, and "heal"
to connect them again.

  --once                  starts the prober too, and ends when it watches the shoot
  --generation two-paths  the older configuration: the shoot is judged by two paths to its API server; "cut internal" breaks the internal one
  --config-file FILE      the prober's configuration; else Gardener's
`;

const { once: endsItself, configured } = askedOptions();
const begin = Date.now();
const say = (line: string) => process.stdout.write(`${line}\n`);
const sinceBegin = () => `${((Date.now() - begin) / 1_000).toFixed(1)} s`;

try {
  const ground = await prepareGround('try', say);
  const { directory } = ground;
  const place = await preparePlace(ground, 0, configured);
  const [seed, shootServer] = await Promise.all([startSeed(place, 'seed'), startShoot(place, shoot)]);
  const paths = await RealShootPaths.of(shootServer);
  const kubelets = new PlayedKubelets(paths.ofKubelets);
  for (let node = 0; node < nodeCount; node++) await kubelets.start(`node-${node}`);
  const deployments = new PlayedDeployments(seed);
  void deployments.follow();
  await addShoot(seed, shoot, place.config, paths.kubeconfigs(place.config), kubelets.names, 2);
  const kubeconfigs = { prober: join(directory, 'prober.kubeconfig'), admin: join(directory, 'admin.kubeconfig') };
  writeFileSync(kubeconfigs.prober, seed.kubeconfig(seedUser));
  writeFileSync(kubeconfigs.admin, seed.kubeconfig('admin'));
  say(`The seed is there after ${sinceBegin()}: ${seed.url}, with the shoot ${shoot} of ${nodeCount} nodes.`);

  if (endsItself) {
    await using prober = await startProber(place, seed);
    await guards(prober, 1);
    say(`A prober watches the shoot after ${sinceBegin()}.`);
  } else {
    say('Start a prober on it, in another terminal:\n');
    say(
      `  npx node src/main.ts prober --config-file=${relative(process.cwd(), place.configFile)} --kubeconfig=${kubeconfigs.prober}\n`,
    );
    say(`Look at it with: kubectl --kubeconfig=${kubeconfigs.admin} -n ${shoot} get deployments`);
    const internal = hasTwoPaths(place.config) ? ', "cut internal" to break the path that they do not take' : '';
    say(`Type "cut" and Enter to cut its nodes off${internal}, "heal" to heal all. Ctrl-C ends it.`);
    createInterface({ input: process.stdin }).on('line', (line) => {
      if (line.trim() === 'cut') {
        void paths.break('external', { kind: 'refuse' });
        say(
          hasTwoPaths(place.config)
            ? 'The external path is broken, and the nodes with it. Once it has failed failureThreshold times, the prober scales down.'
            : 'The nodes are cut off. Their leases are expired 30 s after the last renewal: then the prober scales down.',
        );
      } else if (line.trim() === 'cut internal' && hasTwoPaths(place.config)) {
        void paths.break('internal', { kind: 'refuse' });
        say('The internal path is broken. The prober scales nothing, whatever the external one does.');
      } else if (line.trim() === 'heal') {
        void paths.heal();
        say('All is healed. With one of its next probes the prober sees that, and scales up what is down.');
      } else say(`"${line.trim()}" must be one of cut, ${hasTwoPaths(place.config) ? 'cut internal, ' : ''}heal`);
    });
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  }
  deployments.stop();
  await kubelets.stop();
} finally {
  await endTheLiving();
}
process.exit();

function askedOptions(): Readonly<{ once: boolean; configured: Configured }> {
  const asked = readOptions(
    process.argv.slice(2),
    { once: { type: 'boolean', default: false }, ...configuredOptions },
    (values) => ({ once: values.once, configured: configuredBy(values) }),
  );
  if (asked !== 'help' && !('wrong' in asked)) return asked;
  (asked === 'help' ? process.stdout : process.stderr).write(asked === 'help' ? usage : `${asked.wrong}\n`);
  process.exit(asked === 'help' ? 0 : 2);
}
