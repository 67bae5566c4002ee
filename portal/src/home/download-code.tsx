import { encodeQR } from 'qr';

/** An address for the camera of a phone. Dark on white whatever the site's colours are. */
export function DownloadCode({ url, alt }: { url: string; alt: string }) {
  const picture = encodeQR(url, 'data-url', { border: 2 });
  return <img className="download-code" src={picture} width={112} height={112} alt={alt} />;
}
