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
 * Opens WeChat's own cashier over the page, and settles when it is closed. What it says is not believed:
 * whether money came, the shop hears from WeChat itself.
 */
export async function payInWechat(params: Params): Promise<void> {
  const bridge = window.WeixinJSBridge ?? (await readyBridge());
  await new Promise<void>((resolve) => {
    bridge.invoke('getBrandWCPayRequest', params, () => resolve());
  });
}

/** WeChat puts the bridge into the page a moment after it was loaded. */
function readyBridge(): Promise<Bridge> {
  return new Promise((resolve) => {
    const look = () => {
      if (window.WeixinJSBridge !== undefined) resolve(window.WeixinJSBridge);
    };
    document.addEventListener('WeixinJSBridgeReady', look, { once: true });
  });
}
