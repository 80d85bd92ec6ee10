Feature: What the cache guarantees

  Package cache creates the value of a key once, however many goroutines ask. Its
  guarantees have the numbers that docs/guarantees.md gives them.

  @G1
  Scenario: G1, ten callers and one creation
    Given a cache
    When ten callers ask for the value
    Then nobody gets an error
    And everybody holds the same object
    And one object was made

  @G2 @G3
  Scenario Outline: <number>, creators that <fail>
    Given a cache
    And creators that <fail>
    When three callers ask for the value
    Then who asked gets the creator's <what>
    And the cache holds nothing

    Examples:
      | number | fail  | what  |
      | G2     | fail  | error |
      | G3     | panic | panic |
      | G3     | exit  | exit  |

  @G4
  Scenario: G4, a caller who leaves
    Given a cache
    When one caller gives up asking while two callers ask for the value
    Then the calls of those who stay succeed
    And everybody who stays holds the same object

  @G5
  Scenario: G5, all callers have left
    Given a cache
    And creators that wait for the others
    When two callers give up asking
    Then no creation goes on
    And the cache holds nothing

  @G6
  Scenario: G6, creators that ask for each other's key
    Given a cache
    And creators that ask for each other's key
    When one caller asks for the value and another asks for the other value
    Then who asked is told of the cycle

  @G7
  Scenario: G7, a slow creation holds nobody up
    Given a cache that has a value
    And creators that wait for the others
    When one caller asks for the other value
    And another reads the value and then sets the value
    Then nobody gets an error

  @G8
  Scenario Outline: G8, <what> during a creation
    Given a cache
    And creators that wait for the others
    When two callers ask for the value while another <does> the value
    Then nobody gets an error
    And every object is closed once when the cache is

    Examples:
      | what       | does        |
      | Set        | sets        |
      | Delete     | deletes     |
      | Invalidate | invalidates |

  @G8
  Scenario: G8, what is set stays
    Given a cache
    When two callers ask for the value while another sets the value
    Then the cache holds what was set

  @swaps
  Scenario: several swap one version
    Given a cache that has a value
    When three callers swap the value
    Then those who held one version are told but for one
    And every object is closed once when the cache is

  @G9
  Scenario: G9, a value that is leased while it leaves
    Given a cache
    When two callers lease the value while another deletes the value
    Then nobody gets an error
    And every object is closed once when the cache is

  @G10
  Scenario: G10, the cache is closed during a creation
    Given a cache
    And creators that wait for the others
    When two callers ask for the value while another closes the cache
    Then who asked gets a value, or is told that the cache is closed
    And no creation goes on
    And every object is closed once when the cache is

  @G11
  Scenario: G11, what was read before an invalidation does not come back
    Given a cache
    When one caller invalidates the value while another fills in what was read before
    Then the cache holds nothing
