import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { encodeQR } from 'qr';
import { useTranslation } from 'react-i18next';
import './scan-code.css';

/** The QR code of a payment; the page updates itself after the payment. */
export function ScanCode({ code, method }: { code: string; method: PaymentMethod }) {
  const { t } = useTranslation();
  const app = t(`methods.${method}`);
  // Dark on white in every theme, so that cameras can read the code.
  const picture = encodeQR(code, 'data-url', { border: 2 });
  return (
    <section className="scan-code" aria-labelledby="scan-code-title">
      <img src={picture} width={208} height={208} alt={t('order.scan.code', { app })} />
      <div>
        <h2 id="scan-code-title">{t('order.scan.title', { app })}</h2>
        <p>{t('order.scan.how', { app })}</p>
      </div>
    </section>
  );
}
