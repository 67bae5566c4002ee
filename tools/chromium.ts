import { existsSync } from 'node:fs';

const ofDebian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** What tests drive: what CHROMIUM names, or Debian's. The one without windows takes a tenth less CPU. */
export const chromiumPath =
  process.env.CHROMIUM ?? ofDebian.find(existsSync) ?? '/usr/bin/chromium';
