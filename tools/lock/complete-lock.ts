type LockEntry = {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
export type Lock = { packages: Record<string, LockEntry> };

/**
 * Adds packages for other platforms that are missing in a lock file, and returns their names. With
 * a registry mirror of a single platform npm omits them, and "npm ci" then refuses the lock file on
 * every platform.
 */
export function completeLock(lock: Lock): { lock: Lock; added: string[] } {
  const packages = { ...lock.packages };
  const added: string[] = [];
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      // Platform packages are pinned to an exact version by their parent; ranges are ordinary
      // dependencies.
      const isPinned = /^\d+\.\d+\.\d+[^\s|]*$/.test(version);
      if (!isPinned || isLocked(packages, path, name)) continue;
      packages[`node_modules/${name}`] = { version, optional: true, ...platformOf(name) };
      added.push(name);
    }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added };
}

/** Whether the package at the path resolves the other one from its node_modules or a parent's. */
function isLocked(packages: Lock['packages'], path: string, name: string): boolean {
  for (let folder = path; ; ) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true;
    if (folder === '') return false;
    const parent = folder.lastIndexOf('/node_modules/');
    folder = parent === -1 ? '' : folder.slice(0, parent);
  }
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** By convention the package name contains its platform: @biomejs/cli-linux-x64-musl. */
function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = (name.split('/').at(-1) ?? name).split('-');
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  const isMusl = os === 'linux' && words.some((word) => word.startsWith('musl'));
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(isMusl ? { libc: ['musl'] } : {}),
    ...(os === undefined ? {} : { os: [os] }),
  };
}
