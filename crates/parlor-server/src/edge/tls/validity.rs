//! Times between which a certificate is valid. The library that speaks TLS does not look at those of
//! its own certificate.

use std::ops::RangeInclusive;

use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime};

/// Returns the first and the last second at which a certificate in DER is valid (RFC 5280, 4.1); `None`
/// if it cannot be read.
pub(super) fn validity(certificate: &[u8]) -> Option<RangeInclusive<OffsetDateTime>> {
    /// Tag of the version, which the oldest certificates lack.
    const VERSION: u8 = 0xa0;
    let certificate = split_value(certificate)?.contents;
    let mut fields = split_value(certificate)?.contents;
    if fields.first() == Some(&VERSION) {
        fields = split_value(fields)?.rest;
    }
    // Serial number, algorithm, issuer.
    for _ in 0..3 {
        fields = split_value(fields)?.rest;
    }
    let begin = split_value(split_value(fields)?.contents)?;
    let end = split_value(begin.rest)?;
    Some(time(&begin)?..=time(&end)?)
}

/// First value of a text in DER, and what follows it.
struct Value<'a> {
    tag: u8,
    contents: &'a [u8],
    rest: &'a [u8],
}

fn split_value(der: &[u8]) -> Option<Value<'_>> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        // The number of bytes of the length; more than three would be 16 MB.
        0x81..=0x83 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let length = bytes
                .iter()
                .fold(0, |sum, &byte| sum * 256 + usize::from(byte));
            (length, rest)
        }
        _ => return None,
    };
    let (contents, rest) = rest.split_at_checked(length)?;
    Some(Value {
        tag,
        contents,
        rest,
    })
}

/// Reads a time: with two digits for the year until 2049, with four from then on.
fn time(value: &Value<'_>) -> Option<OffsetDateTime> {
    const UTC_TIME: u8 = 0x17;
    const GENERALIZED_TIME: u8 = 0x18;
    let text = std::str::from_utf8(value.contents).ok()?;
    let century = match (value.tag, text.as_bytes().first()?) {
        (UTC_TIME, b'0'..=b'4') => "20",
        (UTC_TIME, _) => "19",
        (GENERALIZED_TIME, _) => "",
        _ => return None,
    };
    let format = format_description!("[year][month][day][hour][minute][second]Z");
    let time = PrimitiveDateTime::parse(&format!("{century}{text}"), format);
    time.ok().map(PrimitiveDateTime::assume_utc)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn the_times_of_a_certificate_are_read() {
        for (begin, end) in [
            (
                datetime!(1999-12-31 23:59:58 UTC),
                datetime!(2000-01-01 0:00 UTC),
            ),
            (
                datetime!(2025-02-03 4:05:06 UTC),
                datetime!(2049-12-31 0:00 UTC),
            ),
            (
                datetime!(2050-01-01 0:00 UTC),
                datetime!(2150-06-07 8:09:10 UTC),
            ),
        ] {
            let mut wanted = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
            (wanted.not_before, wanted.not_after) = (begin, end);
            let key = rcgen::KeyPair::generate().unwrap();
            let made = wanted.self_signed(&key).unwrap();
            assert_eq!(validity(made.der()), Some(begin..=end));
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_times() {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let whole = made.cert.der();
        assert!(validity(whole).is_some());
        for length in 0..whole.len() {
            assert_eq!(validity(&whole[..length]), None, "{length} bytes");
        }
        assert_eq!(validity(b"\x30\x84\xff\xff\xff\xff"), None);
    }
}
