import { encodeQR } from 'qr';

/** A QR code of an address, dark on white in every theme. */
export function DownloadCode({ url, alt }: { url: string; alt: string }) {
  const picture = encodeQR(url, 'data-url', { border: 2 });
  return <img className="download-code" src={picture} width={112} height={112} alt={alt} />;
}
