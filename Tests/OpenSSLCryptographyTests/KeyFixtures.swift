/// Keys made with the openssl program for these tests alone.
enum KeyFixtures {
  static let ed25519Private = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIOvMnbvlyESqu2M982sjR/rKQsXot4pnw/O4frA1oVwP
    -----END PRIVATE KEY-----
    """

  static let p256Private = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCBcLD2u28GiHGFbD
    N3HmfDN4dw3Y+7ILU8Oxv0n+Zb2hRANCAASc0ztep55q5/3oyYFr3xfzz/ysTTpl
    D/sE66yX42foYY2kcpDuorAB1DGGhPyyiWSDCOxKqbpk28XoODXd+7PZ
    -----END PRIVATE KEY-----
    """

  static let p256Public = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnNM7Xqeeauf96MmBa98X88/8rE06
    ZQ/7BOusl+Nn6GGNpHKQ7qKwAdQxhoT8solkgwjsSqm6ZNvF6Dg13fuz2Q==
    -----END PUBLIC KEY-----
    """

  static let p256PublicCompressed = """
    -----BEGIN PUBLIC KEY-----
    MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADnNM7Xqeeauf96MmBa98X88/8rE06
    ZQ/7BOusl+Nn6GE=
    -----END PUBLIC KEY-----
    """

  static let rsaPrivate = """
    -----BEGIN PRIVATE KEY-----
    MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEAtXOnkhhs6Sh/tp1a
    CUmyr6nc5+EI/ecBQpb5AFvvtgRCdyDfI/N+13bj+gCE8pFyVoM5JPOkFCNscPQf
    RF8qMQIDAQABAkBciQS2Hrq8FSk8afaWsfzsVMYRgtPhGEOuP+vwYPJYcevVlcIy
    JpouuDusUhAirWJOrJDBf6eK9LajVj1OxkAhAiEA2UtFK0oZyWNCWY1f/mp5wIzq
    8M4Hn4lEuQ5/QkUKk+0CIQDVxfUqMWDmDUG2VyLbs3MgpwcnAR2dDmYoGgFKN0Ou
    1QIgEmlXTgi0UKURbScWeCcrc8485fR/Htxxr0B0NfhFoi0CIQDHWxW4JFZmE8TN
    Q9N5KY9aywkrganZNn1kNmQvjvwqhQIgTqc4si0hQrTp2SKgWShnk+9p4mnIkHfO
    1omWrBB+eHk=
    -----END PRIVATE KEY-----
    """

  static let rsaPublic = """
    -----BEGIN PUBLIC KEY-----
    MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALVzp5IYbOkof7adWglJsq+p3OfhCP3n
    AUKW+QBb77YEQncg3yPzftd24/oAhPKRclaDOSTzpBQjbHD0H0RfKjECAwEAAQ==
    -----END PUBLIC KEY-----
    """

  static let p384Private = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDyPeVzT7jaZjzJ0fuW
    cl+AG0ka2oNi2YbuHo0Tw+uoUNrBLPOPPHYo2n5WluGaJ4WhZANiAARBbCyPzECb
    AKgIg6Xb9VSiMXCzCcg9QUlSZQ8mtM2hCkWGzMMp4wQSgO5QiCcT+zcPYlWrhS+2
    pVzzxQ6eJni9D6sBASSYLKxnCMZGAghOeSAXBEXjhhR7QgBYQpvsEKY=
    -----END PRIVATE KEY-----
    """

  static let p384Public = """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEQWwsj8xAmwCoCIOl2/VUojFwswnIPUFJ
    UmUPJrTNoQpFhszDKeMEEoDuUIgnE/s3D2JVq4UvtqVc88UOniZ4vQ+rAQEkmCys
    ZwjGRgIITnkgFwRF44YUe0IAWEKb7BCm
    -----END PUBLIC KEY-----
    """

  static let ed448Private = """
    -----BEGIN PRIVATE KEY-----
    MEcCAQAwBQYDK2VxBDsEOTDmylGS38F+qJ8Fz71scwtBgSY+2IC9TfIE+Q8i0WW6
    KKSMmVWb109+whc+931wdCia72uCFc5D/w==
    -----END PRIVATE KEY-----
    """

  static let explicitParametersPrivate = """
    -----BEGIN PRIVATE KEY-----
    MIIBeQIBADCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAAB
    AAAAAAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA
    ///////////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMV
    AMSdNgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg
    9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8A
    AAAA//////////+85vqtpxeehPO5ysL8YyVRAgEBBG0wawIBAQQgjBlEqkjYy4oG
    4dkaKMQEF/4MJQQtNpMx6uBebLl0TKuhRANCAASup7evzJTrzgUefOp3q3BxyK8y
    ps80k6fHcqFQYeWkEr495Y/pnmS1vqoUP02gLnGDKVhL9JlzQT7U9Ghs33qX
    -----END PRIVATE KEY-----
    """

  static let encryptedPrivate = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgYSHdsmCpMMgICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHTW4Qxa3FQhvNVefUmo6CYEQO6G
    9/KVvA2xvKDFPcumAriLJ+CyzhyxWPD1Uwlipsh7UzuwW/876E5r1D099mEgNa16
    JM4J82he7ivFXh+Mgo4=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  static let oldFormPrivate = """
    -----BEGIN EC PARAMETERS-----
    BggqhkjOPQMBBw==
    -----END EC PARAMETERS-----
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIK8GM5jJkDKyctElOEZIcMoVZHqg2H2kyYtNaLv4dfFRoAoGCCqGSM49
    AwEHoUQDQgAEv1k8Hudlz3o4tzf3IcKMa+xFj12dMWiMT4HhZRcPyCtMKUitiCkU
    iV43he0cx50IAePm7bKtvJ7QvPPcv/JFZA==
    -----END EC PRIVATE KEY-----
    """

  static let oldFormEncryptedPrivate = """
    -----BEGIN EC PRIVATE KEY-----
    Proc-Type: 4,ENCRYPTED
    DEK-Info: AES-128-CBC,379333EBBAC6E864DC2A8ACDACBF60E5

    p3R2bBqtJLGBeIsDFQdghQc7dgKqNDL+OkriZVXB5XjzgNSmUU4J5OOLnGtYxmNJ
    7nZ7PP9s0JY6uyHYSt69ofKdGS2wpACfexY20LXGLi7Y8iXHQS8XBpc+YiRCTZ/X
    0eB31Wcuco7Bf7BYbUmI5jrBAzcKScl6n1Kz4xvNQe4=
    -----END EC PRIVATE KEY-----
    """

  /// A private key beside the public key of another.
  static let mismatchedPrivate = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCBcLD2u28GiHGFbD
    N3HmfDN4dw3Y+7ILU8Oxv0n+Zb2hRANCAAT+aEPWSX+7NBLRIHqgwdP3DPk6TvbD
    2FePdDgpE59kIlJCE5eRkzQ3L5q19yLED6K/wgMld2Rqblnl7IRuC7e6
    -----END PRIVATE KEY-----
    """

  static let certificate = """
    -----BEGIN CERTIFICATE-----
    MAA=
    -----END CERTIFICATE-----
    """
}
