new Intl.NumberFormat('en-US');
globalThis.close();
