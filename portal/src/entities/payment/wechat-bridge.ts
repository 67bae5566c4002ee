import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';

type Params = (PaymentAction & { kind: 'wechat_jsapi' })['params'];

interface Bridge {
  invoke(name: string, params: Params, callback: (result: { err_msg: string }) => void): void;
}

declare global {
  interface Window {
    WeixinJSBridge?: Bridge;
  }
}

/**
 * Opens the cashier of WeChat above the page, and resolves when it is closed. The result is not
 * trusted: the server learns about the payment from a webhook of WeChat.
 */
export async function payInWechat(params: Params): Promise<void> {
  const bridge = window.WeixinJSBridge ?? (await readyBridge());
  await new Promise<void>((resolve) => {
    bridge.invoke('getBrandWCPayRequest', params, () => resolve());
  });
}

/** Waits for the bridge, which WeChat injects shortly after the page has loaded. */
function readyBridge(): Promise<Bridge> {
  return new Promise((resolve) => {
    const look = () => {
      if (window.WeixinJSBridge !== undefined) resolve(window.WeixinJSBridge);
    };
    document.addEventListener('WeixinJSBridgeReady', look, { once: true });
  });
}
