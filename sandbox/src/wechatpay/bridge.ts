/**
 * Simulates WeixinJSBridge, which WeChat adds to every page that it shows. A test browser loads
 * this script into the shop's page first. The payment request of the shop opens the cashier in a
 * window, and the outcome there is passed to the shop's callback.
 */
export function bridgeScript(publicUrl: string): string {
  return `(() => {
  const cashier = ${JSON.stringify(publicUrl)};
  function invoke(name, params, callback) {
    if (name !== 'getBrandWCPayRequest') return callback({ err_msg: name + ':fail' });
    const sheet = window.open(cashier + '/jsapi?' + new URLSearchParams(params), 'wechat-pay');
    if (sheet === null) return callback({ err_msg: 'get_brand_wcpay_request:fail' });
    addEventListener('message', function hear(event) {
      if (event.origin !== cashier || typeof event.data?.err_msg !== 'string') return;
      removeEventListener('message', hear);
      callback({ err_msg: event.data.err_msg });
    });
  }
  window.WeixinJSBridge = { invoke, on() {}, call() {} };
  const ready = () => document.dispatchEvent(new Event('WeixinJSBridgeReady'));
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', ready);
  else ready();
})();
`;
}

/** Runs in the cashier's window after the payer has decided. */
export const doneScript = `
const { result } = document.querySelector('[data-result]').dataset;
window.opener?.postMessage({ err_msg: 'get_brand_wcpay_request:' + result }, '*');
window.close();
`;
