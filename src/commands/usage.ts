import { nearest } from '../domain/nearest.ts';
import { wrap, type CommandIo } from './command.ts';

export type CommandName =
  | 'prober'
  | 'weeder'
  | 'simulate'
  | 'replay'
  | 'inspect'
  | 'validate'
  | 'status'
  | 'release'
  | 'completion';

type CommandWords = Readonly<{
  /** For the list of all commands. */
  summary: string;
  /** For the command's own help. */
  about: string;
}>;

/** What each command is for (SPEC 1.1), in the order in which an operator meets them. */
export const commandWords: Readonly<Record<CommandName, CommandWords>> = {
  prober: {
    summary: "protects a seed's shoots: scales their controllers down while the nodes are cut off",
    about:
      'Probes every shoot of a seed. A shoot is cut off when most leases of its nodes are expired, or, with two kubeconfigs, ' +
      'when it answers inside the seed and not through its load balancer. Then the prober scales the configured resources ' +
      'down, so that no controller replaces nodes that are only out of reach. Once the leases are fresh again, or that way ' +
      'answers, it scales them up to what they were.',
  },
  weeder: {
    summary: 'restarts crash-looping pods as soon as the service that they wait for is back',
    about:
      'Watches the configured services. When one becomes available again, it deletes the pods that depend on it and ' +
      'crash-loop, so that they start at once, and not only after their back-off.',
  },
  simulate: {
    summary: 'shows an outage and the way back, with a seed of its own; needs no cluster',
    about:
      'Starts a small seed in this process and runs the real watchdog on it: the prober, while a gateway fails and cuts ' +
      'shoots off from their nodes; or the weeder, while etcd fails and what needs it crash-loops.',
  },
  replay: {
    summary: 'shows what a journal recorded, and whether it would happen again',
    about:
      'Feeds the events of a journal to the same machines, shows state by state what happened, sums up each outage, ' +
      'and reports the first event that comes out differently. A FILE is a journal file, a directory of them, or - for the standard input.',
  },
  inspect: {
    summary: 'shows what a journal recorded as a page: each decision, and what it was made by',
    about:
      'Serves a page on this machine alone, which shows what happened, each shoot in time, and each decision with the guards that were asked. ' +
      'A PATH is a journal file, a directory of them, or - for the standard input. It ends with Ctrl-C.',
  },
  validate: {
    summary: 'says what a configuration means, or everything that is wrong with it',
    about:
      "Reads a prober's or a weeder's configuration. Prints what it means, with every default filled in; or every problem, " +
      'with what was found and what is expected, and ends with code 1. It needs no cluster, except with --against-seed.',
  },
  status: {
    summary: 'shows how the shoots of a seed stand, by what the cluster itself tells',
    about:
      'Reads the Clusters and their dependants, and shows which shoots are watched, scaled down, scaling up or left alone, since when and by whom, and what is at ' +
      'odds with what should be: then it ends with code 1. With the configuration of the weeder it shows the services and who crash-loops. It writes nothing, and needs no prober.',
  },
  release: {
    summary: 'gives back what a watchdog has scaled down and marked',
    about: 'Raises what a watchdog left scaled down to what it was, and removes its marks, for when it is taken out.',
  },
  completion: {
    summary: 'prints a script by which bash, zsh or fish completes this command line',
    about:
      'Prints a script. To have it in each new shell, load it where that shell starts: "source <(dependency-watchdog completion bash)" in ~/.bashrc, ' +
      'the same with zsh in ~/.zshrc, or "dependency-watchdog completion fish | source" in ~/.config/fish/config.fish.',
  },
};

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(commandWords, word);
}

/** The program's own help: all commands and the exit codes. */
export function programUsage(): string {
  const commands = Object.entries(commandWords).flatMap(([name, { summary }]) =>
    wrap(`${name.padEnd(12)}${summary}`, 14, 2),
  );
  return [
    'Usage: dependency-watchdog COMMAND [flags]',
    '',
    ...wrap(
      "Keeps a Gardener seed's shoots out of node meltdowns, and gets crash-looping control planes back on their feet.",
    ),
    '',
    'Commands',
    ...commands,
    `  ${'version'.padEnd(12)}shows the version, the commit and the Node that it runs on`,
    `  ${'help'.padEnd(12)}shows this, or the flags of a command: dependency-watchdog help COMMAND`,
    '',
    ...wrap(
      'Flags are written with one dash or two, as --flag=value or --flag value; a boolean stands alone, or with =true or =false.',
    ),
    '',
    'Exit codes',
    '  0  it did what it was asked to, or was told to stop',
    '  1  the configuration is wrong, or it could not go on',
    '  2  the command line cannot be read',
  ].join('\n');
}

/** Names the command that was meant, where one is near (SPEC 1.1); answers with exit code 2. */
export function unknownCommand(word: string, io: CommandIo): number {
  const closest = nearest(word, [...Object.keys(commandWords), 'version', 'help']);
  const hint = closest === undefined ? '' : `; did you mean ${closest}?`;
  io.err(
    word.startsWith('-')
      ? `dependency-watchdog: the command comes before the flags, as in: dependency-watchdog prober ${word}`
      : `dependency-watchdog: unknown command ${JSON.stringify(word)}${hint}`,
  );
  io.err('"dependency-watchdog help" lists all commands.');
  return 2;
}
